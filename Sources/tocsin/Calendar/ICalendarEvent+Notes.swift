internal import NotificationModel
internal import NotificationSchedule

// What is said of an event that is not imported whole.
extension ICalendarEvent {
    /// What is said of a request beside the event that cannot be read; the event itself is imported.
    func unreadable(_ error: ToolError) -> ToolError {
        ToolError(
            .data,
            "\(identifier.quotedForMessage()): its \(ExportedRequest.property) cannot be read, so "
                + "it is imported as an event of a calendar. \(error.message)")
    }

    mutating func noteDate(_ text: String) {
        note("the date \(text.quotedForMessage()) of its RDATE is none, and is left out.")
    }

    mutating func noteMore(than date: Instant, count: Int, _ zone: ZoneOffsets) {
        note(
            "\(count) of its dates, from \(RFC3339.text(date, zone: zone)) on, are left out: at most "
                + "\(Self.maximumDates) are imported at once. Import it again later.")
    }

    /// The dates that a calendar program has changed are taken without the rule that they came from.
    mutating func noteRule(of exported: ExportedRequest) {
        guard let trigger = exported.item.request.trigger, trigger.repeats,
            component["RRULE"] == nil
        else { return }
        var what = "what repeated it"
        if case .rule(let rule) = trigger { what = "its rule \(rule.text.quotedForMessage())" }
        note(
            "its dates were changed after it was exported, so they are imported one by one, and "
                + "\(what) is left out. Give it again with 'tocsin every'.")
    }

    private mutating func note(_ text: String) {
        let error = ToolError(.data, "\(identifier.quotedForMessage()): \(text)")
        if !notes.contains(error) { notes.append(error) }
    }
}
