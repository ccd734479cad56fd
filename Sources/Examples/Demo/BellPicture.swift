import UserNotifications

/// A small picture of a bell, drawn and written as a PNG by code.
struct BellPicture {
    let side: Int

    /// The picture as a PNG file.
    var png: Data {
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let size = UInt32(side).bigEndianBytes
        // 8 bits a channel, red green blue alpha, no interlacing.
        file += chunk("IHDR", size + size + [8, 6, 0, 0, 0])
        file += chunk("IDAT", stored(scanlines))
        file += chunk("IEND", [])
        return file
    }

    private var scanlines: [UInt8] {
        var bytes: [UInt8] = []
        for row in 0..<side {
            bytes.append(0)
            for column in 0..<side {
                bytes += pixel(
                    x: (Double(column) + 0.5) / Double(side) * 2 - 1,
                    y: (Double(row) + 0.5) / Double(side) * 2 - 1)
            }
        }
        return bytes
    }

    // A golden bell on a round blue ground; distances are smoothed over one pixel.
    private func pixel(x: Double, y: Double) -> [UInt8] {
        let edge = Double(side) / 2
        func inside(_ distance: Double) -> Double { min(max(0.5 - distance * edge, 0), 1) }
        let ground = inside((x * x + y * y).squareRoot() - 0.96)
        let width = 0.24 + 0.2 * pow(max(y + 0.45, 0), 1.6)
        let dome = (x * x + (y + 0.2) * (y + 0.2)).squareRoot() - 0.34
        let skirt = max(abs(x) - width - 0.1, abs(y - 0.1) - 0.3)
        let rim = max(abs(x) - 0.56, abs(y - 0.42) - 0.06)
        let clapper = (x * x + (y - 0.56) * (y - 0.56)).squareRoot() - 0.11
        let knob = (x * x + (y + 0.58) * (y + 0.58)).squareRoot() - 0.09
        let bell = inside(min(dome, skirt, rim, clapper, knob))
        let light = 1 - 0.25 * (x + 0.5)
        let blue = [0.10 + 0.08 * (1 - y), 0.25 + 0.12 * (1 - y), 0.55 + 0.15 * (1 - y)]
        let gold = [1.0 * light, 0.80 * light, 0.28 * light]
        let colour = zip(blue, gold).map { $0 * (1 - bell) + $1 * bell }
        return (colour + [ground]).map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
    }

    private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + body
        return UInt32(body.count).bigEndianBytes + content + crc(content).bigEndianBytes
    }

    // RFC 1950 and 1951: blocks that are stored as they are need no compressor.
    private func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        while !rest.isEmpty {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            for word in [count, ~count] { result += [UInt8(word & 0xFF), UInt8(word >> 8)] }
            result += block
        }
        var a: UInt32 = 1
        var b: UInt32 = 0
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return result + (b << 16 | a).bigEndianBytes
    }

    private func crc(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
