internal import NotificationModel

extension ZoneRules {
    /// Reads a TZif file of version 1 to 4, or of a later version with the same layout.
    ///
    /// If the file has leap seconds, its instants are converted to POSIX time, which has no leap
    /// seconds.
    ///
    /// Source: RFC 9636 (and 8536 before it).
    ///
    /// - Throws: `ZoneError` if the data is cut short or breaks the format.
    public init(tzif bytes: [UInt8]) throws(ZoneError) {
        var cursor = ByteCursor(bytes: bytes)
        var header = try Header(&cursor)
        var width = 4
        if header.version >= 2 {
            _ = try cursor.readBytes(header.size(width: 4), of: "data of version 1")
            header = try Header(&cursor)
            width = 8
        }
        guard header.size(width: width) <= cursor.remaining else {
            throw ZoneError("the file ends within its data")
        }
        var (transitions, kinds) = try Self.table(&cursor, header, width: width)
        let types = try Self.types(&cursor, header)
        guard kinds.allSatisfy({ Int($0) < types.count }) else {
            throw ZoneError("a transition has a type of local time that is missing")
        }
        let leaps = try Self.leaps(&cursor, header, width: width)
        if !leaps.isEmpty {
            transitions = transitions.map { time in
                time.saturatingSubtract(leaps.last { $0.time <= time }?.correction ?? 0)
            }
        }
        for (earlier, later) in zip(transitions, transitions.dropFirst()) where earlier >= later {
            throw ZoneError("its transitions are not in order")
        }
        _ = try cursor.readBytes(header.standardCount + header.utcCount, of: "indicators")
        let rule = width == 8 ? try Self.footer(&cursor) : nil
        self.init(transitions: transitions, kinds: kinds, types: types, rule: rule)
    }

    private struct Header {
        let version: Int
        let utcCount: Int
        let standardCount: Int
        let leapCount: Int
        let timeCount: Int
        let typeCount: Int
        let characterCount: Int

        init(_ cursor: inout ByteCursor) throws(ZoneError) {
            guard try cursor.readBytes(4, of: "header").elementsEqual("TZif".utf8) else {
                throw ZoneError("it does not begin with 'TZif'")
            }
            let mark = try cursor.byte(of: "header")
            guard mark == 0 || (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(mark) else {
                throw ZoneError("its version is not known")
            }
            version = mark == 0 ? 1 : Int(mark - UInt8(ascii: "0"))
            _ = try cursor.readBytes(15, of: "header")
            utcCount = try cursor.count(of: "header")
            standardCount = try cursor.count(of: "header")
            leapCount = try cursor.count(of: "header")
            timeCount = try cursor.count(of: "header")
            typeCount = try cursor.count(of: "header")
            characterCount = try cursor.count(of: "header")
        }

        /// The size, in bytes, of the data that follows the header.
        func size(width: Int) -> Int {
            timeCount * (width + 1) + typeCount * 6 + characterCount + leapCount * (width + 4)
                + standardCount + utcCount
        }
    }

    /// The farthest time of a transition, in seconds before or after 1970.
    ///
    /// This bound replaces a time that is farther from 1970.
    private static let farthest: Int64 = 1 << 42

    private static func table(
        _ cursor: inout ByteCursor, _ header: Header, width: Int
    ) throws(ZoneError) -> ([Int64], [UInt8]) {
        var transitions: [Int64] = []
        transitions.reserveCapacity(header.timeCount)
        for _ in 0..<header.timeCount {
            let time = try cursor.number(bytes: width, of: "transitions")
            // RFC 9636 3.2 allows times down to -2**59. Within `farthest`, no sum in microseconds
            // overflows, and all dates that the schedule accepts lie within `farthest`.
            transitions.append(min(max(time, -farthest), farthest))
        }
        return (transitions, Array(try cursor.readBytes(header.timeCount, of: "transitions")))
    }

    private static func types(
        _ cursor: inout ByteCursor, _ header: Header
    ) throws(ZoneError) -> [LocalTimeType] {
        guard (1...256).contains(header.typeCount) else {
            throw ZoneError("it has \(header.typeCount) types of local time")
        }
        var raw: [(offset: Int, isDaylight: Bool, name: Int)] = []
        for _ in 0..<header.typeCount {
            let offset = Int(try cursor.number(bytes: 4, of: "types"))
            let isDaylight = try cursor.byte(of: "types") != 0
            raw.append((offset, isDaylight, Int(try cursor.byte(of: "types"))))
        }
        let names = try cursor.readBytes(header.characterCount, of: "abbreviations")
        var types: [LocalTimeType] = []
        for (offset, isDaylight, name) in raw {
            guard abs(offset) <= LocalTimeType.farthestOffset else {
                throw ZoneError("an offset of \(offset) seconds is out of range")
            }
            guard name < names.count else {
                throw ZoneError("the abbreviation of a type is missing")
            }
            let bytes = names.dropFirst(name).prefix { $0 != 0 }
            types.append(
                LocalTimeType(
                    offset: offset, isDaylightSaving: isDaylight,
                    abbreviation: String(decoding: bytes, as: UTF8.self)))
        }
        return types
    }

    private static func leaps(
        _ cursor: inout ByteCursor, _ header: Header, width: Int
    ) throws(ZoneError) -> [(time: Int64, correction: Int64)] {
        var leaps: [(time: Int64, correction: Int64)] = []
        for _ in 0..<header.leapCount {
            let time = try cursor.number(bytes: width, of: "leap seconds")
            leaps.append((time, try cursor.number(bytes: 4, of: "leap seconds")))
        }
        return leaps
    }

    private static func footer(_ cursor: inout ByteCursor) throws(ZoneError) -> RecurringRule? {
        let newline = UInt8(ascii: "\n")
        guard try cursor.byte(of: "footer") == newline else {
            throw ZoneError("its footer does not begin with a new line")
        }
        let rest = try cursor.readBytes(cursor.remaining, of: "footer")
        guard let end = rest.firstIndex(of: newline) else {
            throw ZoneError("the file ends within its footer")
        }
        guard end > rest.startIndex else { return nil }
        return try RecurringRule(parsing: String(decoding: rest[..<end], as: UTF8.self))
    }
}

/// Reads big-endian numbers from an array of bytes, and never past its end.
struct ByteCursor {
    let bytes: [UInt8]
    var position = 0

    var remaining: Int { bytes.count - position }

    mutating func readBytes(_ count: Int, of what: String) throws(ZoneError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            throw ZoneError("the file ends within its \(what)")
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func byte(of what: String) throws(ZoneError) -> UInt8 {
        guard remaining > 0 else { throw ZoneError("the file ends within its \(what)") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number(bytes width: Int, of what: String) throws(ZoneError) -> Int64 {
        let slice = try readBytes(width, of: what)
        let bits = slice.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The sign is the highest bit of the stored width.
        let unused = UInt64(64 - width * 8)
        return Int64(bitPattern: bits << unused) >> Int64(unused)
    }

    mutating func count(of what: String) throws(ZoneError) -> Int {
        Int(UInt32(truncatingIfNeeded: try number(bytes: 4, of: what)))
    }
}

/// The reason why the rules of a time zone could not be read.
public struct ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem with the data, as a clause for the user.
    public let problem: String

    /// Makes an error.
    public init(_ problem: String) {
        self.problem = problem
    }

    /// The problem.
    public var description: String { problem }
}
