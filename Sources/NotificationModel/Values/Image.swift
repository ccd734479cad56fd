/// An image in the form in which a program shows it.
public struct Image: Hashable, Sendable {
    /// The format of an image's bytes.
    public enum Form: String, Sendable {
        /// Rows of RGBA pixels without padding; the colours are not premultiplied by alpha.
        case pixels = "RGBA"
        /// A PNG file.
        case png = "PNG "
    }

    /// The longest side of an image, in pixels.
    ///
    /// Servers draw smaller images than this, and the limit keeps D-Bus messages small.
    public static let longestSide = 256
    /// The maximum size of a PNG file, in bytes; an uncompressed image of the longest sides fits.
    private static let fileLimit = longestSide * longestSide * 4 + 65_536
    private static let headerSize = 12

    /// The format of the bytes.
    public let form: Form
    /// The size in pixels, each from 1 to `longestSide`.
    public let width, height: Int
    /// The PNG file, or `width * height * 4` bytes, four for each pixel.
    public let bytes: [UInt8]

    /// Makes an image; nil if the size is out of range, or the bytes cannot be such an image.
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

    /// Reads an image that `document` wrote; nil for other bytes.
    ///
    /// A document has the four letters of the form, the width, the height, and the bytes. Width and
    /// height have 32 bits each, lowest byte first.
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

    /// The image as bytes that `init(document:)` reads.
    public var document: [UInt8] {
        var document = Array(form.rawValue.utf8)
        for side in [width, height] {
            document += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: side >> $0) }
        }
        return document + bytes
    }
}

/// The part of an image that is shown, and the size to which the part is scaled.
public struct ImageCut: Hashable, Sendable {
    /// The left and the upper edge and the size of the part, in pixels of the image.
    public var x, y, width, height: Int
    /// The size to which the part is scaled: never larger than the part, and at most
    /// `Image.longestSide` a side.
    public var toWidth, toHeight: Int

    /// Makes the cut for an image of this size; each side must have at least one pixel.
    public init(_ part: AttachmentThumbnail.Rectangle?, ofWidth width: Int, height: Int) {
        let (x, partWidth) = Self.span(part?.x ?? 0, part?.width ?? 1, of: width)
        let (y, partHeight) = Self.span(part?.y ?? 0, part?.height ?? 1, of: height)
        self.x = x
        self.y = y
        self.width = partWidth
        self.height = partHeight
        let scale = min(1, Double(Image.longestSide) / Double(max(partWidth, partHeight)))
        toWidth = max(1, Int((Double(partWidth) * scale).rounded()))
        toHeight = max(1, Int((Double(partHeight) * scale).rounded()))
    }

    /// The first pixel of a span and the number of its pixels, at least one.
    private static func span(_ start: Double, _ length: Double, of side: Int) -> (Int, Int) {
        let size = Double(side)
        let first = min(side - 1, max(0, Int((start * size).rounded())))
        let end = min(side, max(first + 1, Int(((start + length) * size).rounded())))
        return (first, end - first)
    }
}

/// The conversion that an image's file needs before a server can show it.
public struct ImageRequest: Hashable, Sendable {
    /// The highest number of a frame.
    ///
    /// The number is bounded, because the decoder also decodes all earlier frames.
    public static let lastFrame = 9_999

    /// The absolute path of the file.
    public var path: String
    /// The part to show; nil for the whole image.
    public var part: AttachmentThumbnail.Rectangle?
    /// The frame of an animation, counted from 0.
    public var frame: Int
    /// The format of the result.
    public var form: Image.Form

    /// Makes a request.
    public init(
        path: String, part: AttachmentThumbnail.Rectangle? = nil, frame: Int = 0,
        form: Image.Form = .pixels
    ) {
        self.path = path
        self.part = part
        self.frame = frame
        self.form = form
    }

    /// The conversion that this content's image needs; nil if it needs none.
    ///
    /// The content needs no conversion if it has no image, or if `form` is `.pixels` and every
    /// server can show the file unchanged.
    public init?(for content: NotificationContent, form: Image.Form = .pixels) {
        guard let image = content.image else { return nil }
        let thumbnail = image.thumbnail
        let isMoving = ["com.compuserve.gif", AttachmentType.webp].contains(image.type)
        let frame = isMoving ? Int(min(thumbnail.time ?? 0, Double(Self.lastFrame))) : 0
        let part = thumbnail.clippingRectangle.flatMap { $0.isAll ? nil : $0 }
        guard
            form != .pixels || part != nil || frame > 0
                || image.type == AttachmentType.webp
        else { return nil }
        self.init(path: image.path, part: part, frame: frame, form: form)
    }

    // MARK: The command line

    private static let png = "png"

    /// The arguments of the program that makes the conversion.
    public var arguments: [String] {
        var arguments = ["image", path]
        if let part {
            let numbers = [part.x, part.y, part.width, part.height]
            arguments += ["--part", numbers.map { "\($0)" }.joined(separator: ",")]
        }
        if frame > 0 { arguments += ["--frame", "\(frame)"] }
        if form == .png { arguments += ["--as", Self.png] }
        return arguments
    }

    /// Parses arguments that `arguments` made; nil for any other arguments.
    public init?(arguments: [String]) {
        guard arguments.count >= 2, arguments[0] == "image" else { return nil }
        self.init(path: arguments[1])
        var rest = arguments.dropFirst(2)
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--part":
                guard let part = Self.part(value) else { return nil }
                self.part = part
            case "--frame":
                guard let frame = Int(value), (0...Self.lastFrame).contains(frame) else {
                    return nil
                }
                self.frame = frame
            case "--as":
                guard value == Self.png else { return nil }
                form = .png
            default: return nil
            }
        }
    }

    private static func part(_ text: String) -> AttachmentThumbnail.Rectangle? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double(String($0)).map(PropertyListValue.real)
        }
        guard numbers.count == 4 else { return nil }
        let options = zip(["X", "Y", "Width", "Height"], numbers).reduce(
            into: [String: PropertyListValue]()
        ) { $0[$1.0] = $1.1 }
        let key = AttachmentThumbnail.Key.clippingRectangle
        return (try? AttachmentThumbnail([key: .dictionary(options)]))?.clippingRectangle
    }
}

extension NotificationContent {
    /// The image of the popup: the first image that is not hidden.
    public var image: NotificationAttachment? {
        attachments.first {
            AttachmentType.named($0.type)?.isImage == true && !$0.thumbnail.isHidden
        }
    }
}

extension AttachmentThumbnail.Rectangle {
    fileprivate var isAll: Bool { x <= 0 && y <= 0 && width >= 1 && height >= 1 }
}

/// A sound to play with a popup whose server plays no sounds.
public struct SoundRequest: Hashable, Sendable {
    /// The name of a sound in the desktop's theme.
    ///
    /// This sound is played if there is no file, or if the file cannot be played.
    public var name: String
    /// The absolute path of a file to play; nil for the theme's sound.
    public var path: String?
    /// The volume from 0 to 1; nil for the user's own volume.
    public var volume: Float?
    /// Whether the sound is played even under Do Not Disturb.
    public var isCritical: Bool

    /// Makes a request.
    public init(
        name: String, path: String? = nil, volume: Float? = nil, isCritical: Bool = false
    ) {
        self.name = name
        self.path = path
        self.volume = volume
        self.isCritical = isCritical
    }

    // MARK: The command line

    /// The arguments of the program that plays the sound.
    public var arguments: [String] {
        var arguments = ["sound", name]
        if let path { arguments += ["--file", path] }
        if let volume { arguments += ["--volume", "\(volume)"] }
        return arguments
    }

    /// Parses arguments that `arguments` made; nil for any other arguments.
    public init?(arguments: [String]) {
        guard arguments.count >= 2, arguments[0] == "sound" else { return nil }
        self.init(name: arguments[1])
        var rest = arguments.dropFirst(2)
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--file": path = value
            case "--volume":
                guard let volume = Float(value), (0...1).contains(volume) else { return nil }
                self.volume = volume
            default: return nil
            }
        }
    }
}
