internal import NotificationModel

/// A picture as a PNG file, for what takes no bare pixels; its data is stored, not compressed.
///
/// Source: W3C, Portable Network Graphics (PNG) Specification; RFC 1950 and 1951 for the data.
struct PNGDocument {
    private static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The most bytes of one stored block.
    private static let blockLimit = 65_535

    /// The bytes of the file.
    let bytes: [UInt8]

    /// Writes one with eight bits a sample and opacity.
    init(_ picture: Picture) {
        let size = Self.number(UInt32(picture.width)) + Self.number(UInt32(picture.height))
        bytes =
            Self.mark + Self.chunk("IHDR", size + [8, 6, 0, 0, 0])
            + Self.chunk("IDAT", Self.stored(Self.rows(picture))) + Self.chunk("IEND", [])
    }

    /// Each row behind the number of its filter, which is none.
    private static func rows(_ picture: Picture) -> [UInt8] {
        let length = picture.width * 4
        var rows: [UInt8] = []
        rows.reserveCapacity((length + 1) * picture.height)
        for row in 0..<picture.height {
            rows.append(0)
            rows += picture.bytes[row * length..<(row + 1) * length]
        }
        return rows
    }

    /// A zlib stream of stored blocks.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        while start < data.count {
            let end = min(data.count, start + blockLimit)
            let length = UInt16(end - start)
            stream.append(end == data.count ? 1 : 0)
            for number in [length, ~length] {
                stream += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
            }
            stream += data[start..<end]
            start = end
        }
        return stream + number(adler(data))
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return number(UInt32(data.count)) + body + number(sum(body))
    }

    /// The highest byte first.
    private static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// Adler-32.
    private static func adler(_ data: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    /// CRC-32 by a table of its 256 remainders.
    private static func sum(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(UInt32.max) { remainders[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    private static let remainders: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
        }
    }
}
