extension Instant {
    /// RFC 3339 in UTC, for machines: `2026-12-24T17:00:00.25Z`.
    ///
    /// The text is nil outside the years 0 to 9999.
    package var rfc3339: String? { rfc3339(nanoseconds: 0) }

    /// The text of `rfc3339`, with three more digits if `nanoseconds` is 1 to 999.
    func rfc3339(nanoseconds: Int) -> String? {
        let time = CivilTime(seconds: wholeSeconds)
        guard (0...9_999).contains(time.year) else { return nil }
        guard nanoseconds > 0 else { return text(of: time, zone: "Z") }
        return "\(time.dateText)T\(time.clockText).\(Int(fraction).padded(6))"
            + "\(nanoseconds.padded(3))Z"
    }

    /// RFC 3339 with an offset: `2026-12-24T18:00:00+01:00`.
    ///
    /// `offset` is in seconds east of UTC.
    ///
    /// Before 1972 some zones had an offset with seconds, which RFC 3339 cannot express. For such a
    /// zone, the text has the offset without the seconds, and the time of day at this shorter
    /// offset. So the text still means the same instant.
    package func rfc3339(offset: Int) -> String {
        let minutes = abs(offset) / 60
        let written = Int64(offset / 60 * 60)
        let zone = "\((minutes / 60).padded(2)):\((minutes % 60).padded(2))"
        let time = CivilTime(seconds: wholeSeconds + written)
        return text(of: time, zone: (written < 0 ? "-" : "+") + zone)
    }

    private func text(of time: CivilTime, zone: String) -> String {
        .ofBytes { bytes in
            time.appendDate(to: &bytes)
            bytes.append(UInt8(ascii: "T"))
            time.appendClock(to: &bytes)
            if fraction > 0 { bytes.append(contentsOf: Int(fraction).fractionText.utf8) }
            bytes.append(contentsOf: zone.utf8)
        }
    }

    /// The seventh to ninth digit after the point of an RFC 3339 text: the digits that
    /// `init(rfc3339:)` ignores.
    static func nanoseconds(rfc3339 text: String) -> Int {
        let fraction = text.utf8.drop(while: { $0 != UInt8(ascii: ".") }).dropFirst()
        let digits = Array(fraction.prefix(while: \.isASCIIDigit).dropFirst(6).prefix(3))
        return (digits + Array(repeating: 0, count: 3 - digits.count)).reduce(0) {
            $0 * 10 + Int($1 & 0xF)
        }
    }

    /// Reads an RFC 3339 text and ignores digits after the microseconds.
    ///
    /// For any other text, and for a leap second, the result is nil.
    package init?(rfc3339 text: String) {
        // The zero byte at the end is no digit and no separator, so parsing stops at it.
        let bytes = Array(text.utf8) + [0]
        var place = 0
        func next() -> UInt8 {
            place += 1
            return bytes[place - 1]
        }
        func number(
            _ count: Int, in range: ClosedRange<Int>, then ends: String = ""
        ) -> Int? {
            var value = 0
            for _ in 0..<count {
                guard bytes[place].isASCIIDigit else { return nil }
                value = value * 10 + Int(next() & 0xF)
            }
            let isRight = range.contains(value) && (ends.isEmpty || ends.utf8.contains(next()))
            return isRight ? value : nil
        }
        guard let year = number(4, in: 0...9_999, then: "-"),
            let month = number(2, in: 1...12, then: "-"),
            let day = number(2, in: 1...CivilTime.days(inMonth: month, of: year), then: "Tt "),
            let hour = number(2, in: 0...23, then: ":"),
            let minute = number(2, in: 0...59, then: ":"), let second = number(2, in: 0...59)
        else { return nil }
        var fraction: Int64 = 0
        if bytes[place] == UInt8(ascii: ".") {
            let digits = bytes[(place + 1)...].prefix(while: \.isASCIIDigit)
            guard !digits.isEmpty else { return nil }
            fraction = (digits + Array(repeating: 0, count: 5)).prefix(6).reduce(0) {
                $0 * 10 + Int64($1 & 0xF)
            }
            place = digits.endIndex
        }
        var offset = 0
        switch next() {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): break
        case let sign where "+-".utf8.contains(sign):
            guard let hours = number(2, in: 0...23, then: ":"), let minutes = number(2, in: 0...59)
            else { return nil }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
        default: return nil
        }
        guard place == bytes.count - 1 else { return nil }
        let time = CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        self.init(microseconds: (time.seconds - Int64(offset)) * 1_000_000 + fraction)
    }
}

extension CivilTime {
    /// `2026-12-24`.
    package var dateText: String { .ofBytes { appendDate(to: &$0) } }

    /// `18:00:00`.
    package var clockText: String { .ofBytes { appendClock(to: &$0) } }

    fileprivate func appendDate(to bytes: inout [UInt8]) {
        bytes.append(year, digits: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(month, digits: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(day, digits: 2)
    }

    fileprivate func appendClock(to bytes: inout [UInt8]) {
        bytes.append(hour, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(minute, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(second, digits: 2)
    }
}

// A list shows the date of each of its notifications, so dates are written as bytes: to join short
// strings takes several times as long.
extension String {
    fileprivate static func ofBytes(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a number with leading zeros; a negative or longer number gets all of its digits.
    fileprivate mutating func append(_ number: Int, digits: Int) {
        var unit = 1
        for _ in 1..<digits { unit *= 10 }
        guard number >= 0, number / unit < 10 else {
            return append(contentsOf: String(number).utf8)
        }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(number / unit % 10))
            unit /= 10
        }
    }
}

extension Int {
    /// The digits with leading zeros, at least `width` in all.
    package func padded(_ width: Int) -> String {
        .ofBytes { $0.append(self, digits: width) }
    }

    /// This many microseconds as the fraction of a second, `.25`; empty for zero.
    package var fractionText: String {
        guard self > 0 else { return "" }
        var text = "." + padded(6)
        while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
        return text
    }
}
