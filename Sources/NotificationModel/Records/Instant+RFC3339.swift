extension Instant {
    /// RFC 3339 in UTC, `2026-12-24T17:00:00.25Z`, for machines; nil outside the years 0 to 9999.
    package var rfc3339: String? {
        let seconds = microseconds.floorDivided(by: 1_000_000)
        let time = CivilTime(seconds: seconds)
        guard (0...9_999).contains(time.year) else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(27)
        func append(_ value: Int, _ width: Int) {
            var power = 1
            for _ in 1..<width { power *= 10 }
            while power > 0 {
                text.append(UInt8(ascii: "0") + UInt8(value / power % 10))
                power /= 10
            }
        }
        for (value, width, end) in [
            (time.year, 4, "-"), (time.month, 2, "-"), (time.day, 2, "T"), (time.hour, 2, ":"),
            (time.minute, 2, ":"), (time.second, 2, ""),
        ] {
            append(value, width)
            text += Array(end.utf8)
        }
        let fraction = Int(microseconds - seconds * 1_000_000)
        if fraction != 0 {
            text.append(UInt8(ascii: "."))
            append(fraction, 6)
            while text.last == UInt8(ascii: "0") { text.removeLast() }
        }
        return String(decoding: text, as: UTF8.self) + "Z"
    }

    /// The instant of an RFC 3339 text, to the microsecond; nil for another text.
    package init?(rfc3339 text: String) {
        var rest = Array(text.utf8)[...]
        func digits(_ count: Int, then end: String = "") -> Int? {
            var value = 0
            guard rest.count >= count else { return nil }
            for byte in rest.prefix(count) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(count)
            guard rest.starts(with: end.utf8) else { return nil }
            rest = rest.dropFirst(end.utf8.count)
            return value
        }
        guard let year = digits(4, then: "-"), let month = digits(2, then: "-"),
            let day = digits(2), let separator = rest.popFirst(),
            [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(separator),
            let hour = digits(2, then: ":"), let minute = digits(2, then: ":"),
            let second = digits(2), (1...12).contains(month),
            (1...CivilTime.days(inMonth: month, of: year)).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
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
