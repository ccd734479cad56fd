internal import ArgumentParser

/// What becomes of a time that is past.
struct PastOption: ParsableArguments {
    @Flag(name: .customLong("past-ok"), help: "Shows it now where the time is past.")
    var isOK = false
}
