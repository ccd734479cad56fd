/// Repeats a check until it finds something, for things that no event announces.
///
/// A test that can wait for an event uses `Recording`, `waitForChange` or `untilReceived` instead.
/// The linter lists the files that poll. Each check waits for the answer of a program, so there is
/// no pause between checks.
package nonisolated(nonsending) func polled<Found>(
    _ what: String, because reason: String, within seconds: Int = 60,
    _ look: () async throws -> Found?
) async throws -> Found {
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
        if let found = try await look() { return found }
        try Task.checkCancellation()
    } while ContinuousClock.now < end
    throw HarnessError("\(what) was not there within \(seconds) s (polled, because \(reason))")
}
