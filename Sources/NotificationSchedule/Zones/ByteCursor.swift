/// Reads big-endian numbers off an array of bytes, and never past its end.
struct ByteCursor {
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var remaining: Int { bytes.count - position }

    mutating func take(_ count: Int, of what: String) throws(ZoneError) -> ArraySlice<UInt8> {
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
        let slice = try take(width, of: what)
        let bits = slice.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The sign is the highest bit of the stored width.
        let unused = UInt64(64 - width * 8)
        return Int64(bitPattern: bits << unused) >> Int64(unused)
    }

    mutating func count(of what: String) throws(ZoneError) -> Int {
        Int(UInt32(truncatingIfNeeded: try number(bytes: 4, of: what)))
    }
}
