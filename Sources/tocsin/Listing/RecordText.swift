internal import NotificationModel
internal import NotificationSchedule

/// Records of what came to nothing as `show` and `missed` print them; pure.
struct RecordText {
    /// How many are shown to people.
    private static let shown = 5

    var times: RelativeTime

    /// Why, without the date.
    static func reason(_ record: NotificationRecord) -> String {
        switch record.reason {
        case .refused: "the notification server refused it: \(record.message)"
        case .late: "too late: \(record.message)"
        default: record.message
        }
    }

    /// The newest ones, a line each: the date that came to nothing, and why.
    func lines(_ records: [NotificationRecord]) -> [String] {
        let lines = records.prefix(Self.shown).map { record in
            "\(times.absolute(record.due ?? record.date)): \(Self.reason(record))"
        }
        let rest = records.count - lines.count
        return lines + (rest > 0 ? ["and \(rest) earlier, which '--json' has"] : [])
    }

    /// For programs, as a member of what `show --json` prints.
    func object(_ record: NotificationRecord) -> RecordValue {
        .record([
            .init("date", .string(RFC3339.text(record.date, zone: times.zone))),
            .init("due", RecordValue(record.due.map { RFC3339.text($0, zone: times.zone) })),
            .init("reason", .string(record.reason.rawValue)),
            .init("message", .string(record.message)),
        ])
    }
}
