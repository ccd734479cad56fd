internal import CMedia
internal import Glibc
internal import NotificationModel

/// An image file: this process opens it, then confines itself, and only then decodes it.
///
/// The program writes one image to standard output, or ends with a message. If the library glycin
/// decodes the image, glycin starts and confines separate decoder processes. This process then only
/// sets resource limits, which the decoder processes inherit.
struct ImageFile {
    private static let limits = cmedia_limits(address_space: 1 << 30, cpu: 2, file: 1 << 20)
    /// The limits for separate decoders, which write the pixels to a large memory file.
    private static let separateDecoderLimits = cmedia_limits(
        address_space: 1 << 30, cpu: 2, file: 257 << 20)

    private let file: OpenFile
    private let path: String
    private let type: AttachmentType

    /// Opens a file, and determines its type by its first bytes.
    init(_ path: String) throws(Refusal) {
        self.path = path
        do throws(NotificationError) {
            file = try OpenFile(path: path)
        } catch {
            throw .file(error.message)
        }
        guard let type = AttachmentType.ofContent(file), type.isImage else {
            throw .file("The file \(path.quotedForMessage()) is no PNG, JPEG, GIF or WebP image.")
        }
        guard file.size <= type.maximumSize else {
            throw .file(
                "The image \(path.quotedForMessage()) has \(file.size) bytes; at most "
                    + "\(type.maximumSize) are read. Attach a smaller copy.")
        }
        self.type = type
    }

    /// The name of the type in gdk-pixbuf.
    private var name: String { type.extensions[0] == "jpg" ? "jpeg" : type.extensions[0] }

    func write(_ request: ImageRequest) throws(Refusal) {
        guard let decoder = cmedia_load_decoder(name, Int32(Limits.imageSide.most)) else {
            throw .unavailable(
                "gdk-pixbuf has no decoder for \(name) images. Install it; for WebP Debian has "
                    + "webp-pixbuf-loader.")
        }
        guard request.form != .png || cmedia_load_encoder() != 0 else {
            throw .unavailable("gdk-pixbuf cannot write PNG files. Install it anew.")
        }
        let isSeparate = cmedia_is_separate(decoder) != 0
        var limits = isSeparate ? Self.separateDecoderLimits : Self.limits
        let problem = isSeparate ? cmedia_limit(&limits) : cmedia_confine(&limits)
        guard problem == 0 else {
            throw .unavailable(
                "The decoder could not be confined: \(String(cString: strerror(problem))).")
        }
        let image = try decode(with: decoder, request)
        guard WholeWrite.send(image.document[...], to: STDOUT_FILENO) else {
            throw .unavailable("The image could not be written.")
        }
    }

    private func decode(
        with decoder: OpaquePointer, _ request: ImageRequest
    ) throws(Refusal) -> Image {
        let content = try contents()
        guard ImageTruncation.isComplete(content, of: name) else {
            throw refused("its end is missing")
        }
        try check(cmedia_decode(decoder, content, Int64(content.count)))
        var size = cmedia_size()
        try check(cmedia_frame(decoder, Int64(request.frame), &size))
        let cut = ImageCut(request.part, ofWidth: Int(size.width), height: Int(size.height))
        var part = cmedia_part(
            x: Int32(cut.x), y: Int32(cut.y),
            size: cmedia_size(width: Int32(cut.width), height: Int32(cut.height)))
        let to = cmedia_size(width: Int32(cut.toWidth), height: Int32(cut.toHeight))
        try check(cmedia_cut(decoder, &part, to))
        var bytes: [UInt8] = []
        switch request.form {
        case .pixels:
            bytes = [UInt8](repeating: 0, count: cut.toWidth * cut.toHeight * 4)
            cmedia_pixels(decoder, &bytes)
        case .png:
            var start: UnsafePointer<UInt8>?
            var count: Int64 = 0
            try check(cmedia_png(decoder, &start, &count))
            bytes = Array(UnsafeBufferPointer(start: start, count: Int(count)))
        }
        let image = Image(
            request.form, width: cut.toWidth, height: cut.toHeight, bytes: bytes)
        guard let image else { throw refused("its size is impossible") }
        return image
    }

    private func contents() throws(Refusal) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: file.size)
        guard pread(file.descriptor, &bytes, bytes.count, 0) == bytes.count else {
            throw refused("it became shorter while it was read")
        }
        return bytes
    }

    private func check(_ reason: UnsafePointer<CChar>?) throws(Refusal) {
        if let reason { throw refused(String(cString: reason)) }
    }

    private func refused(_ reason: String) -> Refusal {
        .file("The image \(path.quotedForMessage()) cannot be shown: \(reason).")
    }
}
