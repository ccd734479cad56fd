internal import NotificationModel
internal import NotificationSchedule

/// Dates of rules as `next` and `schedule` print them.
struct OccurrenceText {
    var now: Instant
    var zone: ZoneOffsets

    /// `Sun 2027-03-28 03:00:00 CEST (in 126 d); 02:30:00 does not exist on …`.
    func line(_ occurrence: Occurrence) -> String {
        let times = RelativeTime(now: now, zone: zone)
        let note = occurrence.shift.map { "; \($0.note)" } ?? ""
        return
            "\(times.absolute(occurrence.instant)) (\(times.distance(occurrence.instant)))\(note)"
    }

    func object(_ occurrence: Occurrence) -> RecordValue {
        .record([
            .init("fire", .string(RFC3339.text(occurrence.instant, zone: zone))),
            .init("note", RecordValue(occurrence.shift?.note)),
        ])
    }
}
