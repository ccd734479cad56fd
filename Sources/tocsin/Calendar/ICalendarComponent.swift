internal import NotificationModel
internal import NotificationSchedule

/// A component of an iCalendar object: `BEGIN:VEVENT` … `END:VEVENT`, with its subcomponents.
struct ICalendarComponent: Hashable {
    /// The name in upper case, such as `VEVENT`.
    var name: String
    var lines: [ICalendarLine] = []
    var components: [ICalendarComponent] = []
    /// Whether the component has an END line.
    var isEnded = false

    /// Reads the components of a text.
    ///
    /// It skips lines that are not content lines, and components beyond the depth limit. A
    /// component without an END line ends together with its outer component, or with the text.
    static func read(_ text: String) -> [ICalendarComponent] {
        var open = [ICalendarComponent(name: "")]
        // How many skipped components of each name have no END yet. Without this count, the END of
        // a skipped component would close an outer component of the same name.
        var skipped: [String: Int] = [:]
        for line in ICalendarLine.unfolded(text) {
            guard let line = ICalendarLine(line) else { continue }
            // Some programs write spaces or a second carriage return at the ends of lines.
            var name: String { line.value.uppercased().filter { !$0.isWhitespace } }
            switch line.name {
            case "BEGIN" where skipped.isEmpty && Limits.calendarDepth.contains(open.count):
                open.append(ICalendarComponent(name: name))
            case "BEGIN": skipped[name, default: 0] += 1
            case "END":
                let ended = name
                if let count = skipped[ended] {
                    skipped[ended] = count > 1 ? count - 1 : nil
                } else if let place = open.dropFirst().lastIndex(where: { $0.name == ended }) {
                    open[place].isEnded = true
                    while open.count > place { close(&open) }
                    skipped = [:]
                }
            case _ where skipped.isEmpty: open[open.count - 1].lines.append(line)
            default: break
            }
        }
        while open.count > 1 { close(&open) }
        return open[0].components
    }

    private static func close(_ open: inout [ICalendarComponent]) {
        let last = open.removeLast()
        open[open.count - 1].components.append(last)
    }

    subscript(name: String) -> ICalendarLine? { lines.first { $0.name == name } }

    /// The text of the first line with this name; empty if there is no such line.
    func text(_ name: String) -> String { self[name]?.text ?? "" }

    /// The text that an event and its exceptions share: the UID, or the summary if there is no UID.
    var series: String {
        let own = text("UID")
        return own.isEmpty ? text("SUMMARY") : own
    }

    /// The UID; an exception adds its RECURRENCE-ID.
    ///
    /// Without a UID, the identifier is the summary and the start, because several such events may
    /// have the same summary.
    var identifier: String {
        let start = self["DTSTART"] ?? self["DUE"]
        let date = self["RECURRENCE-ID"] ?? (text("UID").isEmpty ? start : nil)
        return date.map { "\(series)/\($0.value)" } ?? series
    }

    /// The components that have one of these names: this one and its subcomponents at any depth.
    func all(_ names: Set<String>) -> [ICalendarComponent] {
        (names.contains(name) ? [self] : []) + components.flatMap { $0.all(names) }
    }
}

/// One content line of an iCalendar object: `NAME;PARAMETER=value:value`.
///
/// Source: RFC 5545, 3.1.
struct ICalendarLine: Hashable {
    /// The name in upper case.
    var name: String
    /// The values of the parameters, by their names in upper case.
    var parameters: [String: String] = [:]
    /// The value as written; a text still has its escapes.
    var value: String

    /// Reads an unfolded line; nil if it is not a content line.
    ///
    /// It reads Unicode scalars, because a separator with a combining mark is one `Character` that
    /// is not equal to the separator.
    init?(_ line: String) {
        var rest = line.unicodeScalars[...]
        let name = rest.prefix {
            $0 == "-"
                || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        }
        guard !name.isEmpty else { return nil }
        self.name = String(name).uppercased()
        rest = rest[name.endIndex...]
        while rest.first == ";" {
            rest = rest.dropFirst()
            let key = rest.prefix { $0 != "=" && $0 != ":" && $0 != ";" }
            rest = rest[key.endIndex...]
            guard rest.first == "=" else { return nil }
            rest = rest.dropFirst()
            parameters[String(key).uppercased()] = Self.parameter(&rest)
        }
        guard rest.first == ":" else { return nil }
        value = String(rest.dropFirst())
    }

    /// Takes the value up to the next `;` or `:` outside of quotes, and drops the quotes.
    private static func parameter(_ rest: inout Substring.UnicodeScalarView) -> String {
        var result = String.UnicodeScalarView()
        var isQuoted = false
        while let scalar = rest.first, isQuoted || (scalar != ";" && scalar != ":") {
            if scalar == "\"" { isQuoted.toggle() } else { result.append(scalar) }
            rest = rest.dropFirst()
        }
        return String(result)
    }

    /// The name of the line's zone; nil if the line names no zone, or a zone unknown to the system.
    ///
    /// Outlook writes the zones of Windows. libical and Mozilla write a prefix, as in
    /// `/freeassociation.sourceforge.net/Europe/Berlin`.
    func zone(isZone: (String) -> Bool) -> String? {
        guard let written = parameters["TZID"] else { return nil }
        let name = WindowsZones.names[written] ?? written
        guard !isZone(name) else { return name }
        guard name.hasPrefix("/") else { return nil }
        // A name of the tz database has at most three parts, as in `America/Indiana/Knox`.
        let parts = name.split(separator: "/").suffix(3)
        return parts.indices.lazy.map { parts[$0...].joined(separator: "/") }.first(where: isZone)
    }

    /// The value as text, without its escapes.
    var text: String { ICalendarEscaping.unescaped(value) }

    /// The text of a calendar's bytes.
    ///
    /// Some programs fold a line within a character (RFC 5545, 3.1). This removes such a fold,
    /// because decoding would replace both parts of the character.
    static func text(of bytes: [UInt8]) -> String {
        var whole: [UInt8] = []
        whole.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            // In UTF-8, every byte of a character except its first begins with the bits 10.
            if bytes[index] == UInt8(ascii: "\n"), index + 2 < bytes.count,
                [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[index + 1]),
                bytes[index + 2] & 0xC0 == 0x80
            {
                if whole.last == UInt8(ascii: "\r") { whole.removeLast() }
                index += 2
            }
            whole.append(bytes[index])
            index += 1
        }
        return String(decoding: whole, as: UTF8.self)
    }

    /// The unfolded lines: a line that begins with a space or a tab continues the line before it.
    ///
    /// Only a line feed ends a line, and a carriage return before it is dropped. Other line breaks
    /// are text. A byte order mark at the start is dropped, because it would hide the first BEGIN.
    static func unfolded(_ text: String) -> [String] {
        var lines: [String] = []
        let scalars = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        for part in scalars.split(separator: "\n") {
            let line = part.last == "\r" ? part.dropLast() : part
            if line.isEmpty { continue }
            if line.first == " " || line.first == "\t", !lines.isEmpty {
                lines[lines.count - 1] += String(line.dropFirst())
            } else {
                lines.append(String(line))
            }
        }
        return lines
    }
}

/// A date or a time of an iCalendar object, with its zone.
struct ICalendarTime: Hashable {
    /// The time that the clocks of its zone show.
    var civil: CivilTime
    /// Whether it is a day without a time.
    var isDay: Bool
    /// `UTC` or the name of a zone; nil for the user's zone.
    var zone: String?

    /// Reads `20261224`, `20261224T180000` or `20261224T180000Z`; nil for any other text.
    ///
    /// `zone` is the zone of the line. A day has no zone, and `Z` means UTC.
    init?(_ text: String, zone: String?) {
        let utf8 = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= utf8.count,
                utf8[range].allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return utf8[range].reduce(0) { $0 * 10 + Int($1) - 0x30 }
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            (1...12).contains(month), year > 0,
            (1...CivilTime.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        civil = CivilTime(year: year, month: month, day: day)
        isDay = utf8.count == 8
        self.zone = isDay ? nil : zone
        if isDay { return }
        guard utf8[8] == UInt8(ascii: "T"), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), hour < 24, minute < 60,
            second <= 60, utf8.count == 15 || (utf8.count == 16 && utf8[15] == UInt8(ascii: "Z"))
        else { return nil }
        (civil.hour, civil.minute, civil.second) = (hour, minute, min(second, 59))
        if utf8.count == 16 { self.zone = "UTC" }
    }

    /// Reads the time of a line such as `DTSTART;TZID=Europe/Berlin:…`.
    ///
    /// If the system does not know the name of the zone, the time is in the user's zone.
    init?(_ line: ICalendarLine?, isZone: (String) -> Bool) {
        guard let line else { return nil }
        self.init(line.value, zone: line.zone(isZone: isZone))
    }
}

/// A length of time of an iCalendar object, such as `-PT15M`, `P1DT2H` or `P2W`.
///
/// A day follows the wall clock: it has 23 or 25 hours if the clocks change. An hour, a minute and
/// a second are exact.
///
/// Source: RFC 5545, 3.3.6.
struct ICalendarDuration: Hashable {
    var days: Int64 = 0
    var seconds: Int64 = 0

    /// All seconds, if the clocks do not change.
    var total: Int64 { days * 86_400 + seconds }

    init(days: Int64 = 0, seconds: Int64 = 0) {
        self.days = days
        self.seconds = seconds
    }

    /// Reads a duration; nil for any other text, and for more than `Limits.calendarSpan`.
    init?(_ text: String) {
        var rest = text.uppercased()[...]
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
        var units: [Character: ICalendarDuration] = ["W": .init(days: 7), "D": .init(days: 1)]
        while let first = rest.first {
            if first == "T" {
                units = [
                    "H": .init(seconds: 3_600), "M": .init(seconds: 60), "S": .init(seconds: 1),
                ]
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard let number = Int64(digits), number < 1_000_000_000,
                let unit = rest.popFirst().flatMap({ units[$0] })
            else { return nil }
            days += number * unit.days
            seconds += number * unit.seconds
            guard Limits.calendarSpan.contains(total) else { return nil }
        }
        if isNegative { (days, seconds) = (-days, -seconds) }
    }

    static func + (left: ICalendarDuration, right: ICalendarDuration) -> ICalendarDuration {
        ICalendarDuration(days: left.days + right.days, seconds: left.seconds + right.seconds)
    }
}
