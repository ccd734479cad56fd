import NotificationModel
import Testing

/// The requests to `tocsin-media`, and its answers.
struct MediaRequestTests {
    private typealias Key = AttachmentThumbnail.Key

    private func request(
        _ type: String, _ options: [String: PropertyListValue] = [:]
    ) -> ImageRequest? {
        var content = NotificationContent(title: "t", body: "b")
        content.attachments = [
            NotificationAttachment(identifier: "a", path: "/a", type: type, options: options)
        ]
        return ImageRequest(for: content)
    }

    private static func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double
    ) -> PropertyListValue {
        .dictionary([
            "X": .real(x), "Y": .real(y), "Width": .real(width), "Height": .real(height),
        ])
    }

    @Test func `tocsin-media is asked only for a clipped image, a later GIF frame or WebP`() {
        #expect(request("public.png") == nil)
        #expect(request("com.compuserve.gif") == nil)
        #expect(request("com.compuserve.gif", [Key.time: .integer(0)]) == nil)
        #expect(request("public.jpeg", [Key.time: .integer(3)]) == nil, "a JPEG has one frame")
        #expect(request("public.png", [Key.clippingRectangle: Self.rectangle(0, 0, 1, 1)]) == nil)
        #expect(request("public.mpeg-4", [Key.time: .integer(3)]) == nil, "a movie gives no image")
        #expect(request("org.webmproject.webp") == ImageRequest(path: "/a"))
        #expect(
            request("com.compuserve.gif", [Key.time: .integer(3)])
                == ImageRequest(path: "/a", frame: 3))
        let part = request("public.png", [Key.clippingRectangle: Self.rectangle(0.5, 0, 0.5, 1)])
        #expect(part?.part?.x == 0.5 && part?.part?.height == 1)
    }

    @Test func `tocsin-media is not asked for a hidden attachment`() {
        #expect(request("org.webmproject.webp", [Key.isHidden: .boolean(true)]) == nil)
    }

    @Test func `an image with an unusable option is neither clipped nor shown whole`() {
        let part = Self.rectangle(0.5, 0, 0.5, 1)
        let options = [Key.clippingRectangle: part, Key.time: .string("late")]
        #expect(request("org.webmproject.webp", options) == nil)
        var content = NotificationContent(title: "t", body: "b")
        content.attachments = [
            NotificationAttachment(
                identifier: "a", path: "/a", type: "public.png", options: options)
        ]
        #expect(content.image == nil)
    }

    @Test func `a media request is read back from its arguments`() {
        var request = ImageRequest(path: "-weird path", frame: 7)
        request.part = AttachmentThumbnail.rectangle(of: Self.rectangle(0.1, 0.2, 0.3, 1 / 3.0))
        #expect(ImageRequest(arguments: request.arguments) == request)
        request.form = .png
        #expect(ImageRequest(arguments: request.arguments) == request)
        let sound = SoundRequest(name: "bell", path: "/a b.wav", volume: 0.1)
        #expect(SoundRequest(arguments: sound.arguments) == sound)
        #expect(SoundRequest(arguments: ["sound", "bell"]) == SoundRequest(name: "bell"))
    }

    @Test(arguments: [
        [], ["image"], ["image", "/a", "--part"], ["image", "/a", "--part", "0,0,1"],
        ["image", "/a", "--part", "0,0,2,1"], ["image", "/a", "--part", "0,0,nan,1"],
        ["image", "/a", "--part", "0,0,1,1,"], ["image", "/a", "--frame", "-1"],
        ["image", "/a", "--frame", "10000"], ["image", "/a", "--else", "1"],
        ["image", "/a", "--as", "jpeg"], ["sound"],
        ["sound", "a", "--volume", "2"], ["sound", "a", "--file"],
    ])
    func `invalid arguments are no media request`(arguments: [String]) {
        #expect(ImageRequest(arguments: arguments) == nil)
        #expect(SoundRequest(arguments: arguments) == nil)
    }

    @Test func `an image is read back from its document, and other documents are refused`() throws {
        let image = try #require(
            Image(width: 3, height: 2, bytes: (0..<24).map { UInt8($0) }))
        let document = image.document
        #expect(Image(document: document) == image)
        #expect(Image(document: document + [0]) == nil)
        #expect(Image(document: Array(document.dropLast())) == nil)
        #expect(Image(document: Array("RGBA".utf8)) == nil)
        #expect(Image(document: []) == nil)
        #expect(Image(width: 0, height: 2, bytes: []) == nil)
        #expect(Image(width: 257, height: 1, bytes: .init(repeating: 0, count: 1_028)) == nil)
        let file = try #require(Image(.png, width: 3, height: 2, bytes: [1, 2, 3]))
        #expect(Image(document: file.document) == file)
        #expect(Image(.png, width: 3, height: 2, bytes: []) == nil)
        var enormous = document
        enormous.replaceSubrange(4..<12, with: [UInt8](repeating: 255, count: 8))
        #expect(Image(document: enormous) == nil)
    }

    @Test(
        arguments: [
            (400, 200, nil, [0, 0, 400, 200, 256, 128]),
            (100, 50, nil, [0, 0, 100, 50, 100, 50]),
            (400, 200, [0.5, 0, 0.5, 1], [200, 0, 200, 200, 200, 200]),
            (1, 1, [0.9, 0.9, 0.1, 0.1], [0, 0, 1, 1, 1, 1]),
            (10, 10, [0.999_999, 0, 0.000_001, 1], [9, 0, 1, 10, 1, 10]),
            (8_192, 1, nil, [0, 0, 8_192, 1, 256, 1]),
            (1_000, 1_000, [0, 0, 1, 0.5], [0, 0, 1_000, 500, 256, 128]),
        ] as [(Int, Int, [Double]?, [Int])])
    func `a cut lies within the image and is scaled down to at most 256 pixels`(
        width: Int, height: Int, part: [Double]?, expected: [Int]
    ) {
        let rectangle = part.flatMap {
            AttachmentThumbnail.rectangle(of: Self.rectangle($0[0], $0[1], $0[2], $0[3]))
        }
        let cut = ImageCut(rectangle, ofWidth: width, height: height)
        #expect(
            [cut.x, cut.y, cut.width, cut.height, cut.toWidth, cut.toHeight] == expected)
    }
}

extension AttachmentThumbnail {
    fileprivate static func rectangle(of value: PropertyListValue) -> Rectangle? {
        (try? AttachmentThumbnail([Key.clippingRectangle: value]))?.clippingRectangle
    }
}
