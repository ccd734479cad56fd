extension Instant {
    /// RFC 3339 in UTC, `2026-12-24T17:00:00.25Z`, for machines; nil outside the years 0 to 9999.
    package var rfc3339: String? {
        let time = CivilTime(seconds: wholeSeconds)
        return (0...9_999).contains(time.year) ? text(of: time) + "Z" : nil
    }

    /// RFC 3339 in a zone of this offset, in seconds east of UTC: `2026-12-24T18:00:00+01:00`.
    ///
    /// The seconds that offsets had before 1972 are dropped: RFC 3339 has no place for them.
    package func rfc3339(offset: Int) -> String {
        let minutes = abs(offset) / 60
        return text(of: CivilTime(seconds: wholeSeconds + Int64(offset))) + (offset < 0 ? "-" : "+")
            + "\((minutes / 60).padded(2)):\((minutes % 60).padded(2))"
    }

    /// A time on a clock, with a fraction of a second only where there is one.
    private func text(of time: CivilTime) -> String {
        "\(time.dateText)T\(time.clockText)\(Int(fraction).fractionText)"
    }

    /// The instant of an RFC 3339 text, to the microsecond; nil for another text.
    package init?(rfc3339 text: String) {
        var rest = Array(text.utf8)[...]
        func digits(_ count: Int, then end: String = "") -> Int? {
            var value = 0
            guard rest.count >= count else { return nil }
            for byte in rest.prefix(count) {
                guard byte.isASCIIDigit else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(count)
            guard rest.starts(with: end.utf8) else { return nil }
            rest = rest.dropFirst(end.utf8.count)
            return value
        }
        guard let year = digits(4, then: "-"), let month = digits(2, then: "-"),
            let day = digits(2), let separator = rest.popFirst(),
            "Tt ".utf8.contains(separator),
            let hour = digits(2, then: ":"), let minute = digits(2, then: ":"),
            let second = digits(2), (1...12).contains(month),
            (1...CivilTime.days(inMonth: month, of: year)).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let digits = rest.prefix(while: \.isASCIIDigit)
            guard !digits.isEmpty else { return nil }
            for place in 0..<6 {
                let next = digits.dropFirst(place).first ?? UInt8(ascii: "0")
                fraction = fraction * 10 + Int(next - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(digits.count)
        }
        var offset = 0
        switch rest.popFirst() {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): break
        case let sign? where sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"):
            guard let hours = digits(2, then: ":"), let minutes = digits(2), hours < 24,
                minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
        default: return nil
        }
        guard rest.isEmpty else { return nil }
        let time = CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        self.init(microseconds: (time.seconds - Int64(offset)) * 1_000_000 + Int64(fraction))
    }
}

extension CivilTime {
    /// `2026-12-24`.
    package var dateText: String { "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))" }

    /// `18:00:00`.
    package var clockText: String { "\(hour.padded(2)):\(minute.padded(2)):\(second.padded(2))" }
}

extension Int {
    /// The digits with zeros before them, so many in all; written by hand, because each stored date
    /// passes here.
    package func padded(_ width: Int) -> String {
        let digits = String(self)
        return digits.utf8.count < width
            ? String(repeating: "0", count: width - digits.utf8.count) + digits : digits
    }

    /// So many microseconds as the fraction of a second, `.25`; nothing where there are none.
    package var fractionText: String {
        guard self > 0 else { return "" }
        var text = "." + padded(6)
        while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
        return text
    }
}
