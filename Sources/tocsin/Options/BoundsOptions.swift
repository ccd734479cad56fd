internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// In which zone times are meant, and when a rule ends.
struct BoundsOptions: ParsableArguments {
    @Option(
        name: .customLong("tz"), parsing: .unconditional,
        help: ArgumentHelp("The time zone, such as Europe/Berlin.", valueName: "zone"))
    var zone: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The last time at which a rule may fire.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("How many times a rule fires.", valueName: "number"))
    var count: Int?

    /// What bounds a rule, by name; nil where nothing does.
    var bound: String? { until != nil ? "--until" : count != nil ? "--count" : nil }

    /// The zone that is given, else the person's.
    func resolvedZone(in environment: ToolEnvironment) throws(ToolError) -> ZoneOffsets {
        try environment.zone(given: zone)
    }

    func validate() throws {
        if let count, count < 1 {
            throw ValidationError("'--count' is \(count); give a number from 1 on")
        }
    }
}
