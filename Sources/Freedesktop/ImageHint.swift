internal import NotificationModel

/// The picture of a popup: `image-path` with the `file://` URI of our stored copy.
///
/// Source: Desktop Notifications Specification 1.2, "Icons and Images".
enum ImageHint {
    /// The URI of the first attachment that is an image and not to be hidden, or nil.
    static func path(of content: NotificationContent) -> String? {
        let image = content.attachments.first {
            AttachmentType.named($0.type)?.isImage == true && !$0.thumbnail.isHidden
        }
        return image.map { uri(ofFile: $0.path) }
    }

    /// RFC 8089 with the characters that RFC 3986 lets stand unescaped in a path.
    static func uri(ofFile path: String) -> String {
        let unreserved = Set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        var result = "file://"
        for byte in path.utf8 {
            if unreserved.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                result += "%" + (hex.count == 1 ? "0" + hex : hex)
            }
        }
        return result
    }
}
