internal import NotificationRuntime

/// An image: the bytes of its file, which is not decoded.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiimage
@preconcurrency @MainActor
open class UIImage: NSObject {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]

    private let data: Data

    /// Makes an image of the bytes of a file; nil if the file is empty.
    public init?(data: Data) {
        guard !data.isEmpty else { return nil }
        self.data = data
        super.init()
    }

    /// Makes an image of a file; nil if the file cannot be read.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// Makes an image of a file beside the program or in one of its resource bundles.
    ///
    /// If the name contains no dot, the suffixes `.png`, `@2x.png`, `.jpg` and `.jpeg` are tried in
    /// this order. Asset catalogs are not read, because only Xcode compiles them.
    public convenience init?(named name: String) {
        guard let path = Self.path(named: name) else { return nil }
        self.init(contentsOfFile: path)
    }

    static func path(named name: String) -> String? {
        let suffixes = name.contains(".") ? [""] : [".png", "@2x.png", ".jpg", ".jpeg"]
        let paths = Configuration.current().resources.flatMap { folder in
            suffixes.map { "\(folder)/\(name)\($0)" }
        }
        return paths.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The size in pixels of a PNG file; zero for any other file, because nothing is decoded.
    open var size: CGSize {
        // A PNG file has its width at byte 16 and its height at byte 20, in its first chunk.
        let header = [UInt8](data.prefix(24))
        guard header.count == 24, header.starts(with: Self.png) else { return .zero }
        func number(at index: Int) -> Int {
            header[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return CGSize(width: number(at: 16), height: number(at: 20))
    }

    /// The bytes of a PNG file; nil for any other file, because nothing is encoded.
    open func pngData() -> Data? {
        data.starts(with: Self.png) ? data : nil
    }

    /// The bytes of a JPEG file; nil for any other file, because nothing is encoded.
    open func jpegData(compressionQuality: CGFloat) -> Data? {
        data.starts(with: Self.jpeg) ? data : nil
    }
}

/// A view with an image; nothing is drawn.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiimageview
@preconcurrency @MainActor
open class UIImageView: UIView {
    /// The image.
    open var image: UIImage?

    /// Makes a view of an image, in the image's size.
    public convenience init(image: UIImage?) {
        self.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
    }
}
