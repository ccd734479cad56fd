/// Finds out whether an image file is complete.
///
/// The decoders of PNG, JPEG and WebP show the available part of a truncated image and report no
/// error.
enum ImageTruncation {
    /// Whether the file has everything that its format promises.
    ///
    /// The result is true for a GIF, because the decoder of GIF itself reports a truncated image.
    static func isComplete(_ bytes: [UInt8], of type: String) -> Bool {
        switch type {
        case "png": isCompletePNG(bytes)
        case "jpeg": isCompleteJPEG(bytes)
        case "webp": isCompleteWebP(bytes)
        default: true
        }
    }

    /// Searches for the chunk IEND; each chunk has a length, a name, its content and a checksum.
    ///
    /// Source: PNG (Third Edition), 5.3.
    private static func isCompletePNG(_ bytes: [UInt8]) -> Bool {
        var place = 8
        while place + 12 <= bytes.count {
            if bytes[place + 4..<place + 8].elementsEqual("IEND".utf8) { return true }
            place += 12 + bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return false
    }

    /// Searches for the marker EOI (end of image).
    ///
    /// Outside of a scan, each segment has a marker and a length. Inside a scan, a zero or a
    /// restart marker (D0 to D7) follows each byte FF. Any other marker ends the scan.
    ///
    /// Source: ITU-T T.81, B.1.1.
    private static func isCompleteJPEG(_ bytes: [UInt8]) -> Bool {
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

    /// Whether the file has at least as many bytes as its container announces.
    ///
    /// Source: RFC 9649, 2.4.
    private static func isCompleteWebP(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 12 else { return false }
        return bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } <= bytes.count - 8
    }
}
