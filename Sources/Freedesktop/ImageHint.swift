internal import DesktopBus
internal import NotificationModel

/// The image of a popup.
///
/// A decoded image becomes `image-data`. Any other image becomes `image-path`, with the `file://`
/// URI of our stored copy. For an attached sound or film, `image-path` names the theme's icon.
///
/// Source: Desktop Notifications Specification 1.2, "Icons and Images".
enum ImageHint {
    /// The hint and its value; nil if there is neither an image nor an icon for an attachment.
    static func hint(of presentation: Presentation) -> (name: String, value: BusValue)? {
        if let image = presentation.image, image.form == .pixels {
            return ("image-data", data(image))
        }
        let content = presentation.notification.request.content
        if let file = content.image {
            return ("image-path", .string(FileURI.text(ofPath: file.path)))
        }
        let icon = content.attachments.lazy.compactMap(\.themeIcon).first
        return icon.map { ("image-path", .string($0)) }
    }

    /// `(iiibiiay)`: width, height, bytes per row, has alpha, bits per sample, channels, bytes.
    ///
    /// Servers read the bytes by these numbers, so the numbers must match the bytes.
    private static func data(_ image: Image) -> BusValue {
        .structure([
            .int32(Int32(image.width)), .int32(Int32(image.height)),
            .int32(Int32(image.width * 4)), .bool(true), .int32(8), .int32(4),
            .bytes(image.bytes),
        ])
    }
}
