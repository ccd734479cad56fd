/// A picture as it goes to what shows it.
public struct Picture: Hashable, Sendable {
    /// What its bytes are.
    public enum Form: String, Sendable {
        /// Tight rows of red, green, blue and opacity, not multiplied by the opacity.
        case pixels = "RGBA"
        /// A PNG file.
        case png = "PNG "
    }

    /// The longest side, in pixels: servers show less, and a message stays small.
    public static let longestSide = 256
    /// The most bytes of a file: more than its pixels take without compression.
    private static let fileLimit = longestSide * longestSide * 4 + 65_536
    private static let headerSize = 12

    /// What its bytes are.
    public let form: Form
    /// The size in pixels, each from 1 to `longestSide`.
    public let width, height: Int
    /// The file, or four bytes a pixel and exactly `width * height * 4`.
    public let bytes: [UInt8]

    /// Makes a picture; nil where the size is out of range or the bytes cannot be such a picture.
    public init?(_ form: Form = .pixels, width: Int, height: Int, bytes: [UInt8]) {
        let sides = 1...Self.longestSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        switch form {
        case .pixels: guard bytes.count == width * height * 4 else { return nil }
        case .png: guard !bytes.isEmpty, bytes.count <= Self.fileLimit else { return nil }
        }
        self.form = form
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Reads a document: the form's mark, width and height as 32 bits each, the lowest byte first,
    /// and the bytes; nil where it is anything else.
    public init?(document: [UInt8]) {
        guard document.count >= Self.headerSize,
            let form = Form(rawValue: String(decoding: document[..<4], as: UTF8.self))
        else { return nil }
        func number(at place: Int) -> Int {
            document[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        self.init(
            form, width: number(at: 4), height: number(at: 8),
            bytes: Array(document[Self.headerSize...]))
    }

    /// The picture as `init(document:)` reads it.
    public var document: [UInt8] {
        var document = Array(form.rawValue.utf8)
        for side in [width, height] {
            document += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: side >> $0) }
        }
        return document + bytes
    }
}
