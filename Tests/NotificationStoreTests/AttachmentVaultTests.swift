import Foundation
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("The store's copies of attached files")
struct AttachmentVaultTests {
    let root: TemporaryDirectory
    let vault: AttachmentVault

    init() throws {
        root = try TemporaryDirectory()
        vault = try AttachmentVault(directory: root.path + "/vault")
    }

    /// The first bytes of every PNG file.
    static let head = Array(TestPNG.bytes.prefix(8))

    var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/vault").sorted()) ?? []
    }

    func attachment(_ path: String, type: String = "public.png") -> NotificationAttachment {
        NotificationAttachment(identifier: "a", path: path, type: type)
    }

    func code(_ body: () throws -> Void) -> NotificationError.Code? {
        let error = #expect(throws: NotificationError.self) { try body() }
        return error?.code
    }

    @Test
    func `a file is copied unchanged under a new name, and only the user can read the copy`()
        throws
    {
        let bytes = Self.head + (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try root.write(
            bytes, to: "../\(root.path.split(separator: "/").last ?? "")/a b.png")
        let stored = try vault.store([attachment(path)], from: [OpenFile(path: path)])
        let copy = try #require(stored.first?.path)
        #expect(copy.hasPrefix(root.path + "/vault/") && copy.hasSuffix(".png"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(bytes))
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        #expect(FileManager.default.fileExists(atPath: path), "the app's file stays")
    }

    @Test
    func `the opened file is copied, even if another file has taken its path`() throws {
        let path = try root.write(Self.head + [1, 2, 3], to: "a.png")
        let open = try OpenFile(path: path)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "/etc/passwd")
        let stored = try vault.store([attachment(path)], from: [open])
        let copy = try Data(contentsOf: URL(fileURLWithPath: stored.first?.path ?? ""))
        #expect(copy == Data(Self.head + [1, 2, 3]))
    }

    @Test
    func `a copy has the new size of a file that shrank, and the old size of a file that grew`()
        throws
    {
        let path = try root.write(Self.head + [1, 2, 3, 4], to: "a.png")
        let open = try OpenFile(path: path)
        #expect(truncate(path, 10) == 0)
        let shrunk = try vault.store([attachment(path)], from: [open])
        #expect(try Data(contentsOf: URL(fileURLWithPath: shrunk.first?.path ?? "")).count == 10)
        let again = try OpenFile(path: path)
        #expect(truncate(path, 1_000) == 0)
        let grown = try vault.store([attachment(path)], from: [again])
        #expect(try Data(contentsOf: URL(fileURLWithPath: grown.first?.path ?? "")).count == 10)
    }

    @Test
    func `a pipe, a link, a directory and a device are refused without waiting`() throws {
        let pipe = root.path + "/pipe.png"
        #expect(mkfifo(pipe, 0o600) == 0)
        let link = root.path + "/link.png"
        let target = try root.write([1], to: "target.png")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        for path in [pipe, link, root.path, "/dev/null", root.path + "/missing.png"] {
            #expect(code { _ = try OpenFile(path: path) } == .attachmentInvalid, "\(path)")
        }
    }

    @Test
    func `an unsupported type is refused, and so is a file that is too large for its type`() throws
    {
        let path = try root.write([1], to: "a.txt")
        #expect(
            code {
                _ = try vault.store(
                    [attachment(path, type: "public.text")], from: [OpenFile(path: path)])
            }
                == .attachmentUnrecognized)
        let large = try root.write([], to: "large.mp3")
        #expect(truncate(large, (5 << 20) + 1) == 0)
        #expect(
            code {
                _ = try vault.store(
                    [attachment(large, type: "public.mp3")], from: [OpenFile(path: large)])
            }
                == .attachmentTooLarge)
        #expect(files.isEmpty)
    }

    @Test(
        arguments: [
            ("public.png", []), ("public.png", Array("<html>".utf8)), ("public.mp3", []),
            ("public.png", Array("RIFF....WAVEfmt ".utf8)), ("public.mpeg-4", [0, 0, 0, 1]),
            ("com.microsoft.waveform-audio", AttachmentVaultTests.head),
            ("public.mp3", AttachmentVaultTests.head),
        ] as [(String, [UInt8])])
    func `a file that is empty or of another kind is refused as corrupt`(
        type: String, bytes: [UInt8]
    ) throws {
        let path = try root.write(bytes, to: "file")
        #expect(
            code {
                _ = try vault.store([attachment(path, type: type)], from: [OpenFile(path: path)])
            } == .attachmentCorrupt)
        #expect(files.isEmpty)
    }

    @Test(
        arguments: [
            ("public.jpeg", AttachmentVaultTests.head), ("public.mp3", [1, 2, 3]),
            ("public.mpeg", [9]), ("public.mpeg-4-audio", Array("....ftypisom".utf8)),
            ("com.compuserve.gif", Array("GIF89a".utf8)),
            ("public.avi", Array("RIFF....AVI ".utf8)),
            ("public.aiff-audio", Array("FORM....AIFC".utf8)),
        ] as [(String, [UInt8])])
    func `a file is accepted if its kind fits its type, or if the type has no signature`(
        type: String, bytes: [UInt8]
    ) throws {
        let path = try root.write(bytes, to: "file")
        let stored = try vault.store([attachment(path, type: type)], from: [OpenFile(path: path)])
        #expect(stored.map(\.type) == [type])
    }

    /// The error must not say that the file is corrupt, or that the store cannot copy it.
    @Test(arguments: ["public.png", "public.mp3"])
    func `a file that is open only for writing is refused as unreadable`(type: String) throws {
        let path = try root.write(Self.head, to: "file")
        let file = try OpenFile(adopting: open(path, O_WRONLY | O_CLOEXEC), name: path)
        #expect(
            code { _ = try vault.store([attachment(path, type: type)], from: [file]) }
                == .attachmentInvalid)
        #expect(files.isEmpty)
    }

    @Test
    func `an attachment without a type is refused, and the error names the remedy`() throws {
        let path = try root.write(Self.head, to: "a.png")
        let error = #expect(throws: NotificationError.self) {
            _ = try vault.store([attachment(path, type: "")], from: [OpenFile(path: path)])
        }
        #expect(error?.code == .attachmentUnrecognized)
        #expect(error?.message.contains("has no type. Set its type") == true)
    }

    @Test
    func `if one file cannot be copied, no file is kept`() throws {
        let good = try root.write(Self.head, to: "a.png")
        let error = code {
            _ = try vault.store(
                [attachment(good), attachment(good, type: "public.text")],
                from: [OpenFile(path: good), OpenFile(path: good)])
        }
        #expect(error == .attachmentUnrecognized)
        #expect(files.isEmpty)
        #expect(code { _ = try vault.store([attachment(good)], from: []) } == .attachmentInvalid)
    }

    @Test
    func `a sweep keeps the files in use, and a removal ignores paths outside the directory`()
        throws
    {
        let path = try root.write(Self.head, to: "a.png")
        let stored = try vault.store(
            [attachment(path), attachment(path)],
            from: [OpenFile(path: path), OpenFile(path: path)])
        let names = stored.map { ($0.path as NSString).lastPathComponent }
        vault.sweep(keeping: [names[0]])
        #expect(files == [names[0]])
        vault.remove(["../a.png", path, "/etc/hostname"])
        #expect(FileManager.default.fileExists(atPath: path))
        vault.remove([stored[0].path])
        #expect(files.isEmpty)
    }

    @Test
    func `the paths of attachments follow a moved vault directory`() throws {
        let path = try root.write(Self.head, to: "a.png")
        var content = NotificationContent(title: "t")
        content.attachments = try vault.store([attachment(path)], from: [OpenFile(path: path)])
        try FileManager.default.moveItem(atPath: root.path + "/vault", toPath: root.path + "/new")
        let moved = try AttachmentVault(directory: root.path + "/new").located(content)
        let copy = try #require(moved.attachments.first?.path)
        #expect(copy.hasPrefix(root.path + "/new/"))
        #expect(FileManager.default.fileExists(atPath: copy))
    }
}
