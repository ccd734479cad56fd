internal import DesktopBus
internal import NotificationModel

/// The picture of a popup: `image-data` where it had to be decoded, otherwise `image-path` with the
/// `file://` URI of our stored copy; the theme's icon for sounds and films, which have no picture.
///
/// Source: Desktop Notifications Specification 1.2, "Icons and Images".
enum ImageHint {
    /// The hint and its value; nil without a picture.
    static func hint(of presentation: Presentation) -> (name: String, value: BusValue)? {
        if let picture = presentation.picture, picture.form == .pixels {
            return ("image-data", data(picture))
        }
        let content = presentation.notification.request.content
        if let file = content.picture {
            return ("image-path", .string(FileURI.text(ofPath: file.path)))
        }
        let icon = content.attachments.lazy.compactMap(\.themeIcon).first
        return icon.map { ("image-path", .string($0)) }
    }

    /// `(iiibiiay)`: width, height, bytes a row, opacity, bits a sample, channels, bytes.
    ///
    /// Servers hand the buffer on by these numbers, so that they have to be exact.
    private static func data(_ picture: Picture) -> BusValue {
        .structure([
            .int32(Int32(picture.width)), .int32(Int32(picture.height)),
            .int32(Int32(picture.width * 4)), .bool(true), .int32(8), .int32(4),
            .bytes(picture.bytes),
        ])
    }
}
