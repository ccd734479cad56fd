internal import Glibc

/// A file that is shown with a notification.
public struct NotificationAttachment: Hashable, Sendable {
    /// The identifier, unique within the notification.
    public var identifier: String
    /// The absolute path of the app's file before `add`, and of Tocsin's copy afterwards.
    public var path: String
    /// The uniform type identifier, such as `public.png`.
    public var type: String
    /// Apple's attachment options by key (thumbnail rectangle, time, hidden).
    public var options: [String: PropertyListValue]

    /// Makes an attachment.
    public init(
        identifier: String, path: String, type: String,
        options: [String: PropertyListValue] = [:]
    ) {
        self.identifier = identifier
        self.path = path
        self.type = type
        self.options = options
    }
}

extension NotificationAttachment {
    /// The icon for a file that is not an image, by its kind; nil for images.
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

/// A type of attachment: the types that Apple documents, and WebP.
///
/// The extension or the first bytes of a file tell its type. This code does not decode the file.
///
/// Source: developer.apple.com, UNNotificationAttachment, "Supported File Types".
public struct AttachmentType: Hashable, Sendable {
    /// The kind of media in a file.
    public enum Kind: Hashable, Sendable {
        /// An image.
        case image
        /// A sound.
        case audio
        /// A film.
        case movie

        var maximumSize: Int {
            switch self {
            case .image: Limits.imageFile.most
            case .audio: Limits.audioFile.most
            case .movie: Limits.movieFile.most
            }
        }
    }

    /// The uniform type identifier.
    public let identifier: String
    /// The kind of media.
    public let kind: Kind
    /// The file extensions of the type, in lower case.
    public let extensions: [String]

    /// The maximum size of a file, in bytes.
    public var maximumSize: Int { kind.maximumSize }
    /// Whether a popup can show a file of this type as an image.
    public var isImage: Bool { kind == .image }

    /// The identifier of WebP.
    ///
    /// Few servers can read WebP, so `tocsin-media` converts such images.
    public static let webp = "org.webmproject.webp"

    /// Every supported type.
    public static let all: [AttachmentType] = [
        .init("public.png", .image, ["png"]),
        .init("public.jpeg", .image, ["jpg", "jpeg", "jpe"]),
        .init("com.compuserve.gif", .image, ["gif"]),
        .init(webp, .image, ["webp"]),
        .init("public.aiff-audio", .audio, ["aiff", "aif"]),
        .init("com.microsoft.waveform-audio", .audio, ["wav", "wave"]),
        .init("public.mp3", .audio, ["mp3"]),
        .init("public.mpeg-4-audio", .audio, ["m4a"]),
        .init("public.mpeg", .movie, ["mpg", "mpeg"]),
        .init("public.mpeg-2-video", .movie, ["m2v", "mpg2"]),
        .init("public.mpeg-4", .movie, ["mp4", "m4v"]),
        .init("public.avi", .movie, ["avi"]),
    ]

    /// The type with this uniform type identifier; nil if it is not supported.
    public static func named(_ identifier: String) -> AttachmentType? {
        all.first { $0.identifier == identifier }
    }

    /// The type of the extension of this path; nil for an unknown extension.
    public static func ofFile(_ path: String) -> AttachmentType? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let suffix = name[name.index(after: dot)...].lowercased()
        return all.first { $0.extensions.contains(suffix) }
    }

    private init(_ identifier: String, _ kind: Kind, _ extensions: [String]) {
        self.identifier = identifier
        self.kind = kind
        self.extensions = extensions
    }
}

extension AttachmentType {
    /// The number of bytes at the start of a file that tell its type.
    private static let headLength = 64

    /// The brands of image files that begin like MPEG-4 files: HEIC, HEIF and AVIF.
    ///
    /// Sources: ISO/IEC 23008-12; "AV1 Image File Format", section 6.
    private static let imageBrands = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis",
    ]

    /// The supported type of this file's content; nil for content of another type.
    public static func ofContent(_ file: OpenFile) -> AttachmentType? {
        var head = [UInt8](repeating: 0, count: headLength)
        let count = pread(file.descriptor, &head, head.count, 0)
        return count > 0 ? ofContent(Array(head.prefix(count))) : nil
    }

    /// The supported type that has these first bytes; nil for other content.
    ///
    /// Sources: the specifications of the formats; https://mimesniff.spec.whatwg.org/ sums up most
    /// of them.
    public static func ofContent(_ head: [UInt8]) -> AttachmentType? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            head.dropFirst(offset).starts(with: text.utf8)
        }
        func starts(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
        if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return named("public.png") }
        if starts([0xFF, 0xD8, 0xFF]) { return named("public.jpeg") }
        if has("GIF87a") || has("GIF89a") { return named("com.compuserve.gif") }
        if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
            return named("public.aiff-audio")
        }
        if has("RIFF"), has("WAVE", at: 8) { return named("com.microsoft.waveform-audio") }
        if has("RIFF"), has("AVI ", at: 8) { return named("public.avi") }
        if has("RIFF"), has("WEBP", at: 8) { return named(webp) }
        if has("ftyp", at: 4) {
            guard !imageBrands.contains(where: { has($0, at: 8) }) else { return nil }
            let isAudio = has("M4A", at: 8) || has("M4B", at: 8)
            return named(isAudio ? "public.mpeg-4-audio" : "public.mpeg-4")
        }
        if starts([0, 0, 1, 0xBA]) { return named("public.mpeg") }
        if starts([0, 0, 1, 0xB3]) { return named("public.mpeg-2-video") }
        if has("ID3") { return named("public.mp3") }
        // A frame of MP3 (MPEG layer III) begins with eleven bits that are set.
        if head.count > 1, head[0] == 0xFF, head[1] & 0xE6 == 0xE2 { return named("public.mp3") }
        return nil
    }

    /// Whether content of this type always begins with known bytes.
    private var hasSignature: Bool {
        !["public.mp3", "public.mpeg", "public.mpeg-2-video"].contains(identifier)
    }

    /// Whether a file can be of this type.
    ///
    /// An image type needs the content of an image; a sound or movie type needs content that is not
    /// an image. A PNG file may be declared as JPEG, because the program that shows the image looks
    /// only at the content. If the first bytes match no supported type, only the types without
    /// fixed first bytes are plausible.
    public func isPlausible(for file: OpenFile) -> Bool {
        guard file.size > 0 else { return false }
        guard let found = Self.ofContent(file) else { return !hasSignature }
        return found.isImage == isImage
    }
}
