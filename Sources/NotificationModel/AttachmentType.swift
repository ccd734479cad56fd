/// The attachment types that Apple documents, their file extensions and size limits; and WebP.
///
/// Source: developer.apple.com, UNNotificationAttachment, "Supported File Types".
public struct AttachmentType: Hashable, Sendable {
    /// What a file shows or plays.
    public enum Kind: Hashable, Sendable {
        /// A picture.
        case image
        /// A sound.
        case audio
        /// A film.
        case movie
    }

    /// The uniform type identifier.
    public let identifier: String
    /// The file extensions, in lower case, that stand for it.
    public let extensions: [String]
    /// The largest file, in bytes.
    public let maximumSize: Int
    /// What it shows or plays.
    public let kind: Kind

    /// Whether a popup can show it as a picture.
    public var isImage: Bool { kind == .image }

    /// The identifier of WebP, which few servers read: `tocsin-media` does.
    public static let webp = "org.webmproject.webp"

    /// Every supported type.
    public static let all: [AttachmentType] = [
        image("public.png", ["png"]),
        image("public.jpeg", ["jpg", "jpeg", "jpe"]),
        image("com.compuserve.gif", ["gif"]),
        image(webp, ["webp"]),
        audio("public.aiff-audio", ["aiff", "aif"]),
        audio("com.microsoft.waveform-audio", ["wav", "wave"]),
        audio("public.mp3", ["mp3"]),
        audio("public.mpeg-4-audio", ["m4a"]),
        movie("public.mpeg", ["mpg", "mpeg"]),
        movie("public.mpeg-2-video", ["m2v", "mpg2"]),
        movie("public.mpeg-4", ["mp4", "m4v"]),
        movie("public.avi", ["avi"]),
    ]

    /// The type of this uniform type identifier, or nil where it is not supported.
    public static func named(_ identifier: String) -> AttachmentType? {
        all.first { $0.identifier == identifier }
    }

    /// The type that the extension of this path stands for, or nil.
    public static func ofFile(_ path: String) -> AttachmentType? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let suffix = name[name.index(after: dot)...].lowercased()
        return all.first { $0.extensions.contains(suffix) }
    }

    private static func image(_ identifier: String, _ extensions: [String]) -> AttachmentType {
        .init(
            identifier: identifier, extensions: extensions, maximumSize: 10 << 20, kind: .image)
    }

    private static func audio(_ identifier: String, _ extensions: [String]) -> AttachmentType {
        .init(
            identifier: identifier, extensions: extensions, maximumSize: 5 << 20, kind: .audio)
    }

    private static func movie(_ identifier: String, _ extensions: [String]) -> AttachmentType {
        .init(
            identifier: identifier, extensions: extensions, maximumSize: 50 << 20, kind: .movie)
    }
}
