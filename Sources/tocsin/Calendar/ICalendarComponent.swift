internal import NotificationModel

/// A component of an iCalendar object: `BEGIN:VEVENT` … `END:VEVENT`, with those within it.
struct ICalendarComponent: Hashable {
    /// `VEVENT`, in upper case.
    var name: String
    var lines: [ICalendarLine] = []
    var components: [ICalendarComponent] = []

    /// The components of a text; what is no content line is passed over, and what is not ended ends
    /// with the text.
    static func read(_ text: String) -> [ICalendarComponent] {
        var open = [ICalendarComponent(name: "")]
        for line in ICalendarLine.unfolded(text) {
            guard let line = ICalendarLine(line) else { continue }
            switch line.name {
            case "BEGIN" where Limits.calendarDepth.contains(open.count):
                open.append(ICalendarComponent(name: line.value.uppercased()))
            case "END":
                let name = line.value.uppercased()
                guard open.dropFirst().contains(where: { $0.name == name }) else { continue }
                while open.count > 1 {
                    let isWanted = open[open.count - 1].name == name
                    close(&open)
                    if isWanted { break }
                }
            default: open[open.count - 1].lines.append(line)
            }
        }
        while open.count > 1 { close(&open) }
        return open[0].components
    }

    private static func close(_ open: inout [ICalendarComponent]) {
        let last = open.removeLast()
        open[open.count - 1].components.append(last)
    }

    /// The first line of a name.
    subscript(name: String) -> ICalendarLine? { lines.first { $0.name == name } }

    /// The text of the first line of a name; empty where there is none.
    func text(_ name: String) -> String { self[name]?.text ?? "" }

    /// All components of these names, however deep.
    func all(_ names: Set<String>) -> [ICalendarComponent] {
        (names.contains(name) ? [self] : []) + components.flatMap { $0.all(names) }
    }
}
