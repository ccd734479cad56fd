import DesktopBus
import Freedesktop
import NotificationModel
import Testing

struct ImageHintTests {
    private func hint(_ files: [(path: String, type: String)]) throws -> BusValue? {
        let content = NotificationContent.with {
            $0.attachments = files.map {
                NotificationAttachment(identifier: $0.path, path: $0.path, type: $0.type)
            }
        }
        return NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server()
        ).hints["image-path"]
    }

    @Test func `the popup shows the first attachment that is an image`() throws {
        let image = try hint([
            ("/a.wav", "com.microsoft.waveform-audio"), ("/b.mp4", "public.mpeg-4"),
            ("/c.png", "public.png"), ("/d.jpg", "public.jpeg"),
        ])
        #expect(image == .string("file:///c.png"))
    }

    /// LXQt reads only `image_path`.
    @Test func `a server that reads another hint name gets the image by that name`() throws {
        let content = NotificationContent.with {
            $0.attachments = [
                NotificationAttachment(identifier: "c", path: "/c.png", type: "public.png")
            ]
        }
        let hints = NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server("lxqt-notificationd")
        ).hints
        #expect(hints["image_path"] == .string("file:///c.png"))
        #expect(hints["image-path"] == nil)
    }

    /// With a URI, Cinnamon 5.6 shows no popup, and SwayNotificationCenter 0.7.3 shows no image.
    @Test(arguments: ["cinnamon", "SwayNotificationCenter"])
    func `a server that reads only paths gets the path of the image, and no URI`(
        server: String
    ) throws {
        let content = NotificationContent.with {
            $0.attachments = [
                NotificationAttachment(identifier: "c", path: "/a b.png", type: "public.png")
            ]
        }
        let hints = NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server(server)
        ).hints
        #expect(hints["image-path"] == .string("/a b.png"))
    }

    @Test func `without an image, sound or video attachment there is no image hint`() throws {
        #expect(try hint([]) == nil)
        #expect(try hint([("/b.png", "com.example.unknown")]) == nil)
    }

    @Test func `a sound or a video without an image gets the icon of its type`() throws {
        #expect(try hint([("/a.mp3", "public.mp3")]) == .string("audio-x-generic"))
        #expect(try hint([("/a.mp4", "public.mpeg-4")]) == .string("video-x-generic"))
        let both = [("/x", "com.example.unknown"), ("/b.avi", "public.avi"), ("/c", "public.mp3")]
        #expect(try hint(both) == .string("video-x-generic"))
    }

    @Test func `an image attachment with a hidden thumbnail is not shown`() throws {
        let content = NotificationContent.with {
            $0.attachments = ["/hidden.png", "/shown.png"].map {
                NotificationAttachment(identifier: $0, path: $0, type: "public.png")
            }
            $0.attachments[0].options = [AttachmentThumbnail.Key.isHidden: .boolean(true)]
        }
        let hints = NotifyArguments(
            try Samples.presentation(content: content), for: Samples.server()
        ).hints
        #expect(hints["image-path"] == .string("file:///shown.png"))
    }

    @Test func `the decoded image of a presentation is sent as bytes in place of its file`() throws
    {
        var presentation = try Samples.presentation(
            content: .with {
                $0.attachments = [
                    NotificationAttachment(identifier: "a", path: "/a.png", type: "public.png")
                ]
            })
        let bytes = (0..<24).map { UInt8($0) }
        presentation.image = Image(width: 3, height: 2, bytes: bytes)
        let hints = NotifyArguments(presentation, for: Samples.server()).hints
        #expect(hints["image-path"] == nil)
        #expect(
            hints["image-data"]
                == .structure([
                    .int32(3), .int32(2), .int32(12), .bool(true), .int32(8), .int32(4),
                    .bytes(bytes),
                ]))
        #expect(hints["image-data"]?.signature == "(iiibiiay)")
    }

    @Test(arguments: [
        ("/a b", "file:///a%20b"), ("/100%", "file:///100%25"), ("/a#b?c", "file:///a%23b%3Fc"),
        ("/ü", "file:///%C3%BC"), ("/🎈", "file:///%F0%9F%8E%88"), ("/a\nb", "file:///a%0Ab"),
        ("/a'\"<&;:+,=@b", "file:///a%27%22%3C%26%3B%3A%2B%2C%3D%40b"),
        ("/-._~/AZaz09", "file:///-._~/AZaz09"),
    ])
    func `a path is encoded byte by byte`(path: String, uri: String) {
        #expect(FileURI.text(ofPath: path) == uri)
    }
}
