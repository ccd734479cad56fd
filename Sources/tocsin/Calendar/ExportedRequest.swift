internal import NotificationModel
internal import NotificationSchedule

/// The request that `export` writes beside its event, as a calendar has more dates than rules and no
/// buttons.
///
/// What a calendar program has changed since wins: a title, a text, and the dates.
struct ExportedRequest {
    /// The property of an event or a task that holds the whole JSON line, with the escapes of a text.
    static let property = "X-TOCSIN-REQUEST"

    let item: ImportItem
    /// How many dates the event was written with.
    let dateCount: Int

    /// Reads the property of an event or a task; nil where it has none.
    init?(
        _ component: ICalendarComponent, in environment: ToolEnvironment
    ) throws(ToolError) {
        guard let line = component[Self.property]?.text,
            let item = try ImportFormat(environment: environment).item(Array(line.utf8))
        else { return nil }
        self.item = item
        let pending = PendingNotification(
            app: item.app ?? .tocsin, request: item.request, state: .pending,
            nextFire: item.nextFire)
        dateCount =
            Upcoming(in: environment).dates(of: pending, limit: ICalendarText.maximumDates)
            .count
    }

    /// The line of a request as a property, in ASCII: JSON texts may have characters that end a line
    /// elsewhere.
    static func line(_ json: String) -> String {
        var text = ""
        for scalar in json.unicodeScalars {
            guard !scalar.isASCII || scalar.value == 0x7F else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return property + ":" + ICalendarLine.escaped(text)
    }

    /// What stands below the title in an event.
    static func description(of content: NotificationContent) -> String {
        [content.subtitle, content.body].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Whether an event at this date is still where it was; events have whole seconds.
    func isDue(at date: Instant?) -> Bool {
        item.nextFire?.wholeSeconds == date?.wholeSeconds
    }

    /// The content, with the words that a calendar program has changed.
    func content(in component: ICalendarComponent) -> NotificationContent {
        var content = item.request.content
        if let title = component["SUMMARY"], title.value != ICalendarLine.escaped(content.title),
            title.text != content.title
        {
            content.title = ArgumentText.cleaned(title.text)
        }
        let description = Self.description(of: content)
        if let body = component["DESCRIPTION"], body.value != ICalendarLine.escaped(description),
            body.text != description
        {
            content.subtitle = ""
            content.body = ArgumentText.cleaned(
                String(body.text.prefix(ICalendarEvent.maximumText)))
        }
        return content
    }

    /// The request under the identifier of its event, with the words of that.
    func item(_ identifier: String, in component: ICalendarComponent) -> ImportItem {
        var item = item
        item.request.identifier = identifier
        item.request.content = content(in: component)
        return item
    }
}
