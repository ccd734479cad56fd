internal import NotificationModel
internal import NotificationSchedule

// What is said of an event that is not imported whole.
extension ICalendarEvent {
    mutating func noteDate(_ text: String) {
        note("the date \(text.quotedForMessage()) of its RDATE is none, and is left out.")
    }

    mutating func noteMore(than date: Instant, count: Int, _ zone: ZoneOffsets) {
        note(
            "\(count) of its dates, from \(RFC3339.text(date, zone: zone)) on, are left out: at most "
                + "\(Limits.calendarDates.most) are imported at once. "
                + "\(Limits.calendarDates.remedy).")
    }

    private mutating func note(_ text: String) {
        let error = ToolError(.data, "\(identifier.quotedForMessage()): \(text)")
        if !notes.contains(error) { notes.append(error) }
    }
}
