/// Whether a picture's file goes on to its end; pure.
///
/// The decoders show what there is of a truncated picture and say nothing.
enum PictureEnd {
    /// Whether the file has all that its format promises.
    ///
    /// GIF's decoder tells that by itself.
    static func isThere(_ bytes: [UInt8], of type: String) -> Bool {
        switch type {
        case "png": isThereInPNG(bytes)
        case "jpeg": isThereInJPEG(bytes)
        case "webp": isThereInWebP(bytes)
        default: true
        }
    }

    /// The chunk IEND; each has a length, a name, its content and a checksum.
    ///
    /// Source: PNG (Third Edition), 5.3.
    private static func isThereInPNG(_ bytes: [UInt8]) -> Bool {
        var place = 8
        while place + 12 <= bytes.count {
            if bytes[place + 4..<place + 8].elementsEqual("IEND".utf8) { return true }
            place += 12 + bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return false
    }

    /// The marker EOI.
    ///
    /// Before a scan segments have lengths; within one a byte FF is followed by
    /// zero or by a restart, and any other marker ends it.
    ///
    /// Source: ITU-T T.81, B.1.1.
    private static func isThereInJPEG(_ bytes: [UInt8]) -> Bool {
        let endOfImage: UInt8 = 0xD9
        var place = 2
        while place + 1 < bytes.count {
            let marker = bytes[place + 1]
            if bytes[place] != 0xFF || marker == 0 || (0xD0...0xD7).contains(marker) {
                place += 1
            } else if marker == endOfImage {
                return true
            } else if marker == 0xFF || marker == 1 {
                place += 1
            } else {
                guard place + 3 < bytes.count else { return false }
                place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
            }
        }
        return false
    }

    /// As many bytes as its container has.
    ///
    /// Source: RFC 9649, 2.4.
    private static func isThereInWebP(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 12 else { return false }
        return bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } <= bytes.count - 8
    }
}
