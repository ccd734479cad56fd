/// A picture as it goes to a server: tight rows of red, green, blue and opacity.
public struct Picture: Hashable, Sendable {
    /// The longest side, in pixels: servers show less, and a message stays small.
    public static let longestSide = 256
    /// What its document begins with.
    private static let mark = Array("RGBA".utf8)
    private static let headerSize = 12

    /// The size in pixels, each from 1 to `longestSide`.
    public let width, height: Int
    /// Four bytes a pixel, not multiplied by the opacity; exactly `width * height * 4`.
    public let bytes: [UInt8]

    /// Makes a picture; nil where the size is out of range or the bytes are not as many.
    public init?(width: Int, height: Int, bytes: [UInt8]) {
        let sides = 1...Self.longestSide
        guard sides.contains(width), sides.contains(height), bytes.count == width * height * 4
        else { return nil }
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Reads a document: a mark, width and height as 32 bits each, the lowest byte first, and the
    /// bytes; nil where it is anything else.
    public init?(document: [UInt8]) {
        guard document.count >= Self.headerSize, document.starts(with: Self.mark) else {
            return nil
        }
        func number(at place: Int) -> Int {
            document[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        self.init(
            width: number(at: 4), height: number(at: 8),
            bytes: Array(document[Self.headerSize...]))
    }

    /// The picture as `init(document:)` reads it.
    public var document: [UInt8] {
        var document = Self.mark
        for side in [width, height] {
            document += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: side >> $0) }
        }
        return document + bytes
    }
}
