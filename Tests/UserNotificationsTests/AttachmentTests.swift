import CenterInterface
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(2))) final class AttachmentTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("UserNotificationsTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func file(_ name: String, size: Int = 10) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try Data().write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        // The file is sparse, because only its size matters.
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
        return url
    }

    private func code(of url: URL, hint: String? = nil) -> UNError.Code? {
        do {
            _ = try UNNotificationAttachment(
                identifier: "a", url: url,
                options: hint.map { [UNNotificationAttachmentOptionsTypeHintKey: $0] })
            return nil
        } catch {
            #expect(!error.localizedDescription.contains("\n"))
            return (error as? UNError)?.code
        }
    }

    @Test func `a file that cannot be read has an invalid URL`() throws {
        let image = try file("real.png")
        let link = folder.appendingPathComponent("link.png")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: image)
        let directory = folder.appendingPathComponent("directory.png")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        #expect(
            code(of: try #require(URL(string: "https://example.org/a.png")))
                == .attachmentInvalidURL)
        #expect(code(of: folder.appendingPathComponent("none.png")) == .attachmentInvalidURL)
        #expect(code(of: link) == .attachmentInvalidURL)
        #expect(code(of: directory) == .attachmentInvalidURL)
        #expect(code(of: URL(fileURLWithPath: "/dev/null")) == .attachmentInvalidURL)
        #expect(code(of: image) == nil)
    }

    @Test func `an attachment's type comes from the file extension or the type hint`() throws {
        #expect(code(of: try file("a.txt")) == .attachmentUnrecognizedType)
        #expect(code(of: try file("plain")) == .attachmentUnrecognizedType)
        #expect(code(of: try file("a.dat"), hint: "public.nonsense") == .attachmentUnrecognizedType)
        #expect(code(of: try file("b.dat"), hint: "public.png") == nil)
        let attachment = try UNNotificationAttachment(
            identifier: "", url: try file("Photo.JPEG"))
        #expect(attachment.type == "public.jpeg")
        #expect(UUID(uuidString: attachment.identifier) != nil)
        #expect(attachment.url.lastPathComponent == "Photo.JPEG")
    }

    @Test(arguments: [
        (TestBytes.png, "public.png"), ([0xFF, 0xD8, 0xFF, 0xE0], "public.jpeg"),
        (Array("GIF87a".utf8), "com.compuserve.gif"),
        (Array("FORM....AIFF".utf8), "public.aiff-audio"),
        (Array("RIFF....WAVE".utf8), "com.microsoft.waveform-audio"),
        (Array("ID3".utf8), "public.mp3"), ([0xFF, 0xFB, 0x90], "public.mp3"),
        (Array("....ftypM4A ".utf8), "public.mpeg-4-audio"), ([0, 0, 1, 0xBA], "public.mpeg"),
        ([0, 0, 1, 0xB3], "public.mpeg-2-video"), (Array("....ftypisom".utf8), "public.mpeg-4"),
        (Array("RIFF....AVI ".utf8), "public.avi"),
    ])
    func `a file's content gives the type if its name does not`(bytes: [UInt8], type: String) throws
    {
        let url = folder.appendingPathComponent("download.tmp")
        try Data(bytes).write(to: url)
        #expect(try UNNotificationAttachment(identifier: "a", url: url).type == type)
        let plain = folder.appendingPathComponent("plain")
        try FileManager.default.copyItem(at: url, to: plain)
        #expect(try UNNotificationAttachment(identifier: "a", url: plain).type == type)
    }

    // If an iPhone's photo counted as a video, its popup would show the icon of a video.
    @Test(arguments: ["heic", "mif1", "avif"])
    func `an image file that begins like a video has no supported type`(brand: String) throws {
        let url = folder.appendingPathComponent("photo.heic")
        try Data("....ftyp\(brand)".utf8).write(to: url)
        #expect(code(of: url) == .attachmentUnrecognizedType)
    }

    @Test(
        arguments: [
            (UNNotificationAttachmentOptionsThumbnailHiddenKey, true, true),
            (UNNotificationAttachmentOptionsThumbnailHiddenKey, "yes", false),
            (UNNotificationAttachmentOptionsThumbnailTimeKey, 2.5, true),
            (UNNotificationAttachmentOptionsThumbnailTimeKey, 3, true),
            (UNNotificationAttachmentOptionsThumbnailTimeKey, -1, false),
            (UNNotificationAttachmentOptionsThumbnailTimeKey, ["value": 5, "timescale": 2], true),
            (UNNotificationAttachmentOptionsThumbnailTimeKey, ["value": 5], false),
            (
                UNNotificationAttachmentOptionsThumbnailClippingRectKey,
                ["X": 0.5, "Y": 0, "Width": 0.5, "Height": 1], true
            ),
            (
                UNNotificationAttachmentOptionsThumbnailClippingRectKey,
                ["X": 0.6, "Y": 0, "Width": 0.5, "Height": 1], false
            ),
            (UNNotificationAttachmentOptionsThumbnailClippingRectKey, ["X": 0.5], false),
            (UNNotificationAttachmentOptionsThumbnailClippingRectKey, "all", false),
        ] as [(String, any Sendable, Bool)])
    func `a valid value of an attachment option is kept, and an invalid value is refused`(
        key: String, value: any Sendable, isUsable: Bool
    ) throws {
        let url = try file("a.png")
        guard isUsable else {
            let error = #expect(throws: UNServiceError.self) {
                try UNNotificationAttachment(identifier: "a", url: url, options: [key: value])
            }
            #expect(error?.code == .invalidArgument)
            return
        }
        let attachment = try UNNotificationAttachment(
            identifier: "a", url: url, options: [key: value])
        #expect(attachment.value.options.keys.contains(key))
        #expect(attachment.value.thumbnail != AttachmentThumbnail())
    }

    @Test func `a stored attachment whose file is gone is reported as not in the store`()
        async throws
    {
        let test = TestCenter()
        let content = UNMutableNotificationContent()
        content.attachments = [
            UNNotificationAttachment(
                value: .init(
                    identifier: "a", path: folder.path + "/gone.png", type: "public.png"),
                isStored: true)
        ]
        let error = await #expect(throws: UNError.self) {
            try await test.center.add(TestCenter.request(content: content))
        }
        #expect(error?.code == .attachmentNotInDataStore)
    }

    @Test func `a file that the service finds damaged is reported as corrupt`() async throws {
        let test = TestCenter()
        let damage = NotificationError(.attachmentCorrupt, "It is damaged.")
        await test.service.fail(Members.add, with: damage)
        await #expect(
            throws: UNError(
                .attachmentCorrupt,
                userInfo: [
                    NSLocalizedDescriptionKey: "It is damaged."
                ])
        ) {
            try await test.center.add(TestCenter.request())
        }
    }

    @Test(arguments: [("a.png", 10 << 20), ("a.mp3", 5 << 20), ("a.mp4", 50 << 20)])
    func `a file above the size limit of its type is refused`(name: String, limit: Int) throws {
        #expect(code(of: try file(name, size: limit)) == nil)
        #expect(code(of: try file(name, size: limit + 1)) == .attachmentInvalidFileSize)
    }

    @Test func `add opens an attached file before the call returns`() async throws {
        let url = try file("a.png", size: 77)
        let content = UNMutableNotificationContent()
        content.attachments = [try UNNotificationAttachment(identifier: "a", url: url)]
        let test = TestCenter()
        let error = await withCheckedContinuation { continuation in
            test.center.add(TestCenter.request(content: content)) {
                continuation.resume(returning: $0)
            }
            // The call has already opened the file.
            try? FileManager.default.removeItem(at: url)
        }
        #expect(error == nil)
        let added = try #require(test.service.inputs(of: Members.add).first)
        #expect(try added.2.map { try $0.size } == [77])
        await #expect(throws: UNError.self) {
            try await test.center.add(TestCenter.request(content: content))
        }
    }

    @Test func `add removes a temporary file that it has stored, and no other file`() async throws {
        let temporary = try file("temporary.png")
        let content = UNMutableNotificationContent()
        content.attachments = [try UNNotificationAttachment(identifier: "a", url: temporary)]
        let test = TestCenter()
        await test.service.fail(
            Members.add, with: NotificationError(.noSpace, "The disk is full."))
        await #expect(throws: UNServiceError.self) {
            try await test.center.add(TestCenter.request(content: content))
        }
        #expect(FileManager.default.fileExists(atPath: temporary.path))
        await test.service.script(Members.add) { _ in }
        try await test.center.add(TestCenter.request(content: content))
        #expect(!FileManager.default.fileExists(atPath: temporary.path))

        let elsewhere = TestCenter(temporaryDirectories: [folder.path + "/other"])
        let kept = try file("kept.png")
        content.attachments = [try UNNotificationAttachment(identifier: "a", url: kept)]
        try await elsewhere.center.add(TestCenter.request(content: content))
        #expect(FileManager.default.fileExists(atPath: kept.path))
    }

    @Test func `a new file at the path of the attached file is not removed`() async throws {
        let url = try file("a.png")
        let content = UNMutableNotificationContent()
        content.attachments = [try UNNotificationAttachment(identifier: "a", url: url)]
        let opened = try OpenAttachment.all(of: content)
        try FileManager.default.removeItem(at: url)
        _ = try file("a.png", size: 20)
        for attachment in opened { attachment.removeOriginal(in: .init([folder.path])) }
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    @Test func `a temporary directory is recognized through symbolic links`() throws {
        let link = folder.path + "/link"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/real/deep", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.path + "/real")
        #expect(TemporaryDirectories([folder.path + "/real"]).contain(link + "/deep/a.png"))
        #expect(TemporaryDirectories([link]).contain(folder.path + "/real/a.png"))
        #expect(!TemporaryDirectories([folder.path + "/re"]).contain(link + "/a.png"))
        #expect(!TemporaryDirectories([link]).contain(folder.path + "/a.png"))
    }

    /// The center moves files out of temporary directories.
    ///
    /// An app below `/tmp` must not lose its own images.
    @Test(arguments: ["own.png", "deep/own.png", "App_App.resources/own.png", "A.app/own.png"])
    func `an attached file of the program is not removed, even in a temporary directory`(
        _ name: String
    ) async throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(TestBytes.png).write(to: url)
        let isBundled = name.contains(".resources") || name.contains(".app")
        let temporary = TemporaryDirectories(
            [folder.deletingLastPathComponent().path], own: isBundled ? [] : [folder.path])
        let content = UNMutableNotificationContent()
        content.attachments = [try UNNotificationAttachment(identifier: "a", url: url)]
        for attachment in try OpenAttachment.all(of: content) {
            attachment.removeOriginal(in: temporary)
        }
        #expect(FileManager.default.fileExists(atPath: url.path))
        let other = TemporaryDirectories([folder.deletingLastPathComponent().path], own: [])
        #expect(
            other.contain(folder.path + "/download.png"),
            "a file that is not the program's own would be moved")
    }

    @Test func `files in the directory of the executable are the program's own`() throws {
        let program = try #require(Bundle.main.executableURL).deletingLastPathComponent().path
        let parent = URL(fileURLWithPath: program).deletingLastPathComponent().path
        for name in ["/a.png", "/deep/a.png"] {
            #expect(!TemporaryDirectories([parent]).contain(program + name))
            #expect(TemporaryDirectories([parent], own: []).contain(program + name))
        }
    }

    @Test func `a stored copy is never removed by the app`() async throws {
        let stored = try file("stored.png")
        let test = TestCenter()
        let content = UNMutableNotificationContent()
        content.attachments = [
            UNNotificationAttachment(
                value: .init(identifier: "a", path: stored.path, type: "public.png"),
                isStored: true)
        ]
        try await test.center.add(TestCenter.request(content: content))
        #expect(FileManager.default.fileExists(atPath: stored.path))
    }
}

private enum TestBytes {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}
