/// What is to be made of a picture's file before a server can show it.
public struct PictureOrder: Hashable, Sendable {
    /// The highest number of a frame; each before it is decoded, too.
    public static let lastFrame = 9_999

    /// The absolute path of the file.
    public var path: String
    /// The part to show; nil for all.
    public var part: AttachmentThumbnail.Rectangle?
    /// The frame of an animation, counted from 0.
    public var frame: Int
    /// What is to be made of it.
    public var form: Picture.Form

    /// Makes an order.
    public init(
        path: String, part: AttachmentThumbnail.Rectangle? = nil, frame: Int = 0,
        form: Picture.Form = .pixels
    ) {
        self.path = path
        self.part = part
        self.frame = frame
        self.form = form
    }

    /// What the picture of this content needs; nil where there is none, or where pixels are wanted
    /// and every server can read its file and show all of it.
    public init?(for content: NotificationContent, form: Picture.Form = .pixels) {
        guard let picture = content.picture else { return nil }
        let thumbnail = picture.thumbnail
        let isMoving = ["com.compuserve.gif", AttachmentType.webp].contains(picture.type)
        let frame = isMoving ? Int(min(thumbnail.time ?? 0, Double(Self.lastFrame))) : 0
        let part = thumbnail.clippingRectangle.flatMap { $0.isAll ? nil : $0 }
        guard
            form != .pixels || part != nil || frame > 0
                || picture.type == AttachmentType.webp
        else { return nil }
        self.init(path: picture.path, part: part, frame: frame, form: form)
    }

    // MARK: The command line

    private static let png = "png"

    /// The arguments of the program that does it.
    public var arguments: [String] {
        var arguments = ["picture", path]
        if let part {
            let numbers = [part.x, part.y, part.width, part.height]
            arguments += ["--part", numbers.map { "\($0)" }.joined(separator: ",")]
        }
        if frame > 0 { arguments += ["--frame", "\(frame)"] }
        if form == .png { arguments += ["--as", Self.png] }
        return arguments
    }

    /// Reads them; nil where they are something else.
    public init?(arguments: [String]) {
        guard arguments.count >= 2, arguments[0] == "picture" else { return nil }
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
    /// The picture of its popup: the first image that is not to be hidden.
    public var picture: NotificationAttachment? {
        attachments.first {
            AttachmentType.named($0.type)?.isImage == true && !$0.thumbnail.isHidden
        }
    }
}

extension AttachmentThumbnail.Rectangle {
    fileprivate var isAll: Bool { x <= 0 && y <= 0 && width >= 1 && height >= 1 }
}
