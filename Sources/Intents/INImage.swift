/// An image of a person or a group; stored, but not shown.
open class INImage: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable: an image never changes.
    private let data: Data?
    private let url: URL?
    private let name: String?
    private let systemName: String?

    private init(
        data: Data? = nil, url: URL? = nil, name: String? = nil, systemName: String? = nil
    ) {
        self.data = data
        self.url = url
        self.name = name
        self.systemName = systemName
    }

    /// Makes an image from the app's own resource of this name.
    public convenience init(named name: String) {
        self.init(data: nil, name: name)
    }

    /// Makes an image from the bytes of a file.
    public convenience init(imageData: Data) {
        self.init(data: imageData)
    }

    /// Makes an image from its address; nil if the scheme is not `file`, `http` or `https`.
    ///
    /// Nothing loads the image, because no Linux desktop shows it.
    public convenience init?(url: URL) {
        guard ["file", "http", "https"].contains(url.scheme?.lowercased()) else { return nil }
        self.init(data: nil, url: url)
    }

    /// Makes an image from its address, as ``init(url:)`` does; the size has no effect.
    ///
    /// Apple: https://developer.apple.com/documentation/intents/inimage/init(url:width:height:)-41ikr
    public convenience init?(url: URL, width: Double, height: Double) {
        self.init(url: url)
    }

    /// Returns an image by the name of an SF Symbol.
    ///
    /// Linux has no SF Symbols. The name is stored, and no icon of the desktop's theme is looked
    /// up, because no Linux desktop shows the image.
    ///
    /// Apple: https://developer.apple.com/documentation/intents/inimage/systemimagenamed(_:)
    open class func systemImageNamed(_ systemImageName: String) -> INImage {
        INImage(data: nil, systemName: systemImageName)
    }

    /// Returns this image, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// An image can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an image from an archive.
    public required init?(coder: NSCoder) {
        data = coder.object(NSData.self, "imageData").map { Data(referencing: $0) }
        url = coder.text("url").flatMap(URL.init(string:))
        name = coder.text("name")
        systemName = coder.text("systemName")
    }

    /// Writes the image into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(data.map { NSData(data: $0) }, forKey: "imageData")
        coder.encode(url?.absoluteString as NSString?, forKey: "url")
        coder.encode(name as NSString?, forKey: "name")
        coder.encode(systemName as NSString?, forKey: "systemName")
    }
}
