internal import Glibc

// What a file is by its first bytes, whatever it is called.
extension AttachmentType {
    /// How many bytes tell the type.
    private static let headLength = 64

    /// The supported type that the content of this file is of, or nil.
    public static func ofContent(_ file: OpenFile) -> AttachmentType? {
        var head = [UInt8](repeating: 0, count: headLength)
        let count = pread(file.descriptor, &head, head.count, 0)
        return count > 0 ? ofContent(Array(head.prefix(count))) : nil
    }

    /// The supported type of which these are the first bytes, or nil.
    ///
    /// Sources: the formats' own specifications, as https://mimesniff.spec.whatwg.org/ sums up
    /// most of them.
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
            let isAudio = has("M4A", at: 8) || has("M4B", at: 8)
            return named(isAudio ? "public.mpeg-4-audio" : "public.mpeg-4")
        }
        if starts([0, 0, 1, 0xBA]) { return named("public.mpeg") }
        if starts([0, 0, 1, 0xB3]) { return named("public.mpeg-2-video") }
        if has("ID3") { return named("public.mp3") }
        // A frame of layer III, after eleven bits that are set.
        if head.count > 1, head[0] == 0xFF, head[1] & 0xE6 == 0xE2 { return named("public.mp3") }
        return nil
    }

    /// Whether content of this type always begins in a way that is known.
    private var hasSignature: Bool {
        !["public.mp3", "public.mpeg", "public.mpeg-2-video"].contains(identifier)
    }

    /// Whether a file can be of this type: its content is of one of the same kind, or of one that
    /// cannot be told by its first bytes.
    ///
    /// A picture of another format is as good as one of this: who shows it looks at the content.
    public func isPlausible(for file: OpenFile) -> Bool {
        guard file.size > 0 else { return false }
        guard let found = Self.ofContent(file) else { return !hasSignature }
        return found.isImage == isImage
    }
}
