internal import NotificationModel

/// A file that is shown with a notification.
open class UNNotificationAttachment: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let value: NotificationAttachment
    /// Whether the file is the notification centre's own copy, which only the centre may remove.
    let isStored: Bool

    /// The identifier, unique within its notification.
    open var identifier: String { value.identifier }
    /// The app's file before `add`, the stored copy afterwards.
    open var url: URL { URL(fileURLWithPath: value.path) }
    /// The uniform type identifier, for example `public.png`.
    open var type: String { value.type }

    init(value: NotificationAttachment, isStored: Bool) {
        self.value = value
        self.isStored = isStored
    }

    /// Makes an attachment of a file; the type hint, the extension or the content gives its type.
    ///
    /// `add` copies the file into the notification centre's store; if the file is in a temporary
    /// directory, `add` moves it. If the identifier is empty, the attachment gets a unique
    /// identifier.
    ///
    /// - Throws: `UNError.attachmentInvalidURL` if the URL does not name a readable regular file;
    ///   `attachmentUnrecognizedType` if the type is not supported; `attachmentInvalidFileSize`
    ///   above 10 MB (image), 5 MB (sound) or 50 MB (movie); `attachmentMoveIntoDataStoreFailed`
    ///   if the disk fails; a ``UNServiceError`` for unusable options, or if too many files are
    ///   open.
    public init(
        identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        let source = AttachmentSource(identifier: identifier, url: URL, options: options ?? [:])
        do {
            value = try source.checked()
            isStored = false
        } catch {
            throw error.asUserNotificationsError
        }
    }

    /// Makes an attachment; another spelling of ``init(identifier:url:options:)``.
    ///
    /// - Throws: The errors of that initializer.
    public convenience init(
        identifier: String, URL: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try self.init(identifier: identifier, url: URL, options: options)
    }

    /// Returns this attachment, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is an attachment with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationAttachment)?.value == value
    }

    /// A hash of the values.
    open override var hash: Int { value.hashValue }

    /// The class, the address and the values.
    open override var description: String {
        describe([("identifier", identifier), ("URL", url), ("type", type)])
    }

    /// An attachment can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an attachment from an archive; the file is not checked.
    public required init?(coder: NSCoder) {
        guard let value = coder.value(NotificationAttachment.record, "file") else { return nil }
        self.value = value
        isStored = coder.number("isStored")?.boolValue ?? false
    }

    /// Writes the attachment into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(value, as: NotificationAttachment.record, forKey: "file")
        coder.encode(NSNumber(value: isStored), forKey: "isStored")
    }
}

/// The file's uniform type identifier, used in place of the file's extension; a `String`.
public let UNNotificationAttachmentOptionsTypeHintKey = AttachmentThumbnail.Key.typeHint

/// If true, the popup shows no image; a `Bool`.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = AttachmentThumbnail.Key.isHidden

/// The part of the image to show; a dictionary of X, Y, Width and Height, from 0 to 1.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    AttachmentThumbnail.Key.clippingRectangle

/// The position of the image to show: the number of a frame in an animation, or a time in a movie,
/// in seconds.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = AttachmentThumbnail.Key.time
