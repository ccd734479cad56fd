internal import NotificationModel
internal import NotificationSchedule

/// A date or a time of an iCalendar object, in the zone in which it is meant.
struct ICalendarTime: Hashable {
    /// What the clocks of its zone show.
    var civil: CivilTime
    /// Whether it is a day without a time.
    var isDay: Bool
    /// `UTC` or the name of a zone; nil is the person's.
    var zone: String?

    /// Reads `20261224`, `20261224T180000`, `20261224T180000Z`, with the line's zone.
    ///
    /// A zone that is described in the object alone is taken by its name; where the system does not
    /// know that, the time is the person's.
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

    /// The time of a line such as `DTSTART;TZID=Europe/Berlin:…`.
    init?(_ line: ICalendarLine?, isZone: (String) -> Bool) {
        guard let line else { return nil }
        let zone = line.parameters["TZID"]
        self.init(line.value, zone: zone.flatMap { isZone($0) ? $0 : nil })
    }

    /// A length of time, `-PT15M`, `P1DT2H`, `P2W`, in seconds (RFC 5545, 3.3.6).
    static func duration(_ text: String) -> Int64? {
        var rest = text.uppercased()[...]
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
        var units: [Character: Int64] = ["W": 604_800, "D": 86_400]
        var seconds: Int64 = 0
        while let first = rest.first {
            if first == "T" {
                units = ["H": 3_600, "M": 60, "S": 1]
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard let number = Int64(digits), number < 1_000_000_000,
                let unit = rest.popFirst().flatMap({ units[$0] })
            else { return nil }
            seconds += number * unit
            guard Limits.calendarSpan.contains(seconds) else { return nil }
        }
        return isNegative ? -seconds : seconds
    }
}
