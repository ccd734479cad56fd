extension NotificationAttachment {
    /// The icon that stands for a file which is no picture: that of its kind; nil for pictures.
    ///
    /// Source: Icon Naming Specification, "Standard MIME Type Icons".
    public var themeIcon: String? {
        switch AttachmentType.named(type)?.kind {
        case .audio: "audio-x-generic"
        case .movie: "video-x-generic"
        case .image, nil: nil
        }
    }
}
