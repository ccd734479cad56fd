/// The options of an attachment that determine how its image is shown.
public struct AttachmentThumbnail: Hashable, Sendable {
    /// A part of an image; each number is a fraction of the image's width or height, from 0 to 1.
    public struct Rectangle: Hashable, Sendable {
        /// The left edge, the upper edge, and the size.
        public var x, y, width, height: Double
    }

    /// The keys of the options, with Apple's names.
    public enum Key {
        /// A uniform type identifier.
        public static let typeHint = "UNNotificationAttachmentOptionsTypeHintKey"
        /// True to keep the image out of the popup.
        public static let isHidden = "UNNotificationAttachmentOptionsThumbnailHiddenKey"
        /// X, Y, Width and Height of the part to show.
        public static let clippingRectangle =
            "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
        /// The frame number of an animation, or the time in a movie in seconds.
        public static let time = "UNNotificationAttachmentOptionsThumbnailTimeKey"
    }

    /// Whether the image is kept out of the popup.
    public var isHidden = false
    /// The part to show; nil for the whole image.
    public var clippingRectangle: Rectangle?
    /// The frame number of an animation, or the time in a movie in seconds; nil for the first
    /// frame.
    public var time: Double?

    /// Reads the options.
    ///
    /// - Throws: `invalidArgument` if an option cannot be used; the message names it.
    public init(_ options: [String: PropertyListValue]) throws(NotificationError) {
        switch options[Key.isHidden] {
        case nil: break
        case .boolean(let flag): isHidden = flag
        case .integer(let number) where number == 0 || number == 1: isHidden = number == 1
        default: throw Self.unusable("the option to hide the thumbnail must be true or false")
        }
        if let value = options[Key.clippingRectangle] {
            guard let rectangle = Self.rectangle(value) else {
                throw Self.unusable(
                    "the clipping rectangle must have X, Y, Width and Height within 0 to 1")
            }
            clippingRectangle = rectangle
        }
        if let value = options[Key.time] {
            guard let time = Self.time(value), time >= 0, time.isFinite else {
                throw Self.unusable(
                    "the thumbnail's time must be a number of at least 0, or a CMTime dictionary")
            }
            self.time = time
        }
    }

    private static func rectangle(_ value: PropertyListValue) -> Rectangle? {
        guard case .dictionary(let parts) = value else { return nil }
        let numbers = ["X", "Y", "Width", "Height"].compactMap { parts[$0]?.number }
        guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }),
            numbers[2] > 0, numbers[3] > 0, numbers[0] + numbers[2] <= 1 + 1e-9,
            numbers[1] + numbers[3] <= 1 + 1e-9
        else { return nil }
        return Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    private static func time(_ value: PropertyListValue) -> Double? {
        if let number = value.number { return number }
        guard case .dictionary(let parts) = value, let count = parts["value"]?.number,
            let scale = parts["timescale"]?.number, scale > 0
        else { return nil }
        return count / scale
    }

    private static func unusable(_ reason: String) -> NotificationError {
        NotificationError(.invalidArgument, "The attachment's options cannot be used: \(reason).")
    }

    /// Shows the whole image.
    public init() {}
}

extension NotificationAttachment {
    /// The options for the attachment's image.
    ///
    /// If an option cannot be used, the image is hidden, because the app may have wanted to hide a
    /// part of the image.
    public var thumbnail: AttachmentThumbnail {
        if let thumbnail = try? AttachmentThumbnail(options) { return thumbnail }
        var hidden = AttachmentThumbnail()
        hidden.isHidden = true
        return hidden
    }
}

extension PropertyListValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}
