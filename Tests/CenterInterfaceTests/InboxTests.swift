import CenterInterface
import Foundation
import Glibc
import NotificationModel
import TestSupport
import Testing

/// The folder in which requests wait for a login.
@Suite struct InboxTests {
    /// A folder that is removed with this object.
    private final class Folder {
        let path: String
        var inbox: String { path + "/state/inbox" }

        init(in parent: String = NSTemporaryDirectory()) throws {
            path = parent + "/inbox-" + UUID().uuidString
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var files: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: inbox)) ?? [])
                .filter { $0 != ".bell" }.sorted()
        }
    }

    private static func item(_ identifier: String) -> InboxItem {
        var content = NotificationContent(title: "Tea \"é\"", body: "two\nlines")
        content.userInfo = ["made": .date(Instant(microseconds: 77)), "n": .integer(3)]
        content.actions = [NotificationAction(identifier: "a", title: "A")]
        var item = InboxItem(
            created: Instant(microseconds: 1_795_258_800_000_000),
            request: NotificationRequest(
                identifier: identifier, content: content,
                trigger: .rule(NotificationRule("every day at 09:00", count: 3))))
        item.nextFire = Instant(microseconds: 1_795_262_400_000_000)
        item.identity = ApplicationIdentity(
            id: .tocsin, name: "Tocsin", executable: "/usr/bin/tocsin", arguments: ["respond"],
            directory: "/")
        return item
    }

    @Test func `a written entry is read back with all its files`() throws {
        let folder = try Folder()
        #expect(try Inbox.opened(folder.inbox) == nil)
        let inbox = try Inbox.made(folder.inbox)
        let image = folder.path + "/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        var item = Self.item("tea")
        item.request.content.attachments = [
            .init(identifier: "0", path: image, type: "public.png")
        ]
        try inbox.write(item, files: [OpenFile(path: image)])
        #expect(inbox.identifiers() == [item.id])
        let read = try inbox.item(item.id)
        let copy = try #require(read.request.content.attachments.first?.path)
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(TestPNG.bytes))
        item.request.content.attachments[0].path = copy
        #expect(read == item)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.inbox)
        #expect(mode[.posixPermissions] as? Int == 0o700)
        inbox.remove([item.id])
        #expect(folder.files.isEmpty)
    }

    @Test func `a copy of an attachment ends where the shrunk file ends`() throws {
        let folder = try Folder()
        let inbox = try Inbox.made(folder.inbox)
        let image = folder.path + "/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        let file = try OpenFile(path: image)
        #expect(truncate(image, 10) == 0)
        var item = Self.item("tea")
        item.request.content.attachments = [
            .init(identifier: "0", path: image, type: "public.png")
        ]
        try inbox.write(item, files: [file])
        let copy = try #require(try inbox.item(item.id).request.content.attachments.first?.path)
        #expect(try Data(contentsOf: URL(filePath: copy)).count == 10)
    }

    /// Nobody can make a directory in sysfs.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/sys/kernel"), "sysfs is not mounted"))
    func `a folder that cannot be made is reported with the reason`() {
        let error = #expect(throws: NotificationError.self) {
            try Inbox.made("/sys/kernel/tocsin/inbox")
        }
        #expect(error?.message.contains("could not be made") == true)
        #expect(error?.message.contains(String(cString: strerror(ENOENT))) == false)
    }

    @Test func `the names of entries are UUIDs, and no two are equal`() {
        let all = (0..<1_000).map { _ in InboxItem.newID() }
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { UUID(uuidString: $0) != nil && InboxItem.isID($0) })
        #expect(all.allSatisfy { Array($0)[14] == "4" && "89ab".contains(Array($0)[19]) })
        for wrong in ["", "a", "../../etc/passwd", all[0] + "0", "x" + all[0].dropFirst()] {
            #expect(!InboxItem.isID(wrong))
        }
    }

    @Test(
        arguments: [
            "", "{", "null", "[]", #"{"app":"org.tocsin.Tocsin"}"#,
            #"{"app":"org.example.Other","created":1,"request":{"id":"a"}}"#,
            #"{"app":"org.tocsin.Tocsin","created":1,"request":{}}"#,
            #"{"app":"org.tocsin.Tocsin","created":1,"request":{"id":"a"},"identity":{"id":"b.c"}}"#,
        ])
    func `an entry that is no request is refused and set aside`(text: String) throws {
        let folder = try Folder()
        let inbox = try Inbox.made(folder.inbox)
        let id = InboxItem.newID()
        try Data(text.utf8).write(to: URL(filePath: "\(folder.inbox)/\(id).json"))
        #expect(throws: NotificationError.self) { try inbox.item(id) }
        let path = inbox.setAside(id)
        #expect(path.hasSuffix("\(id).unusable"))
        #expect(inbox.unusable() == [path])
        #expect(folder.files == ["\(id).unusable"])
        #expect(inbox.identifiers().isEmpty)
    }

    @Test func `drafts and files with other names are no entries, and old drafts are removed`()
        throws
    {
        let folder = try Folder()
        let inbox = try Inbox.made(folder.inbox)
        let (draft, kept) = (InboxItem.newID(), InboxItem.newID())
        for name in [".\(draft).new", ".\(draft).0", "readme.json", ".\(kept).0", ".other"] {
            try Data().write(to: URL(filePath: "\(folder.inbox)/\(name)"))
        }
        try Data().write(to: URL(filePath: "\(folder.inbox)/\(kept).unusable"))
        #expect(inbox.identifiers().isEmpty)
        let now = Instant(microseconds: Int64(Date().timeIntervalSince1970) * 1_000_000)
        inbox.sweep(now: now)
        #expect(folder.files.count == 6)
        inbox.sweep(now: now.adding(microseconds: 2 * 86_400_000_000))
        #expect(folder.files == [".\(kept).0", ".other", "\(kept).unusable", "readme.json"])
    }

    /// tmpfs and btrfs accept this date, and it must not crash the daemon at its start.
    @Test(
        .enabled(
            if: FileManager.default.isWritableFile(atPath: "/dev/shm"),
            "/dev/shm is missing or read-only"))
    func `a sweep keeps a draft with the latest possible date`() throws {
        let folder = try Folder(in: "/dev/shm")
        let inbox = try Inbox.made(folder.inbox)
        let name = ".\(InboxItem.newID()).new"
        let file = "\(folder.inbox)/\(name)"
        try Data().write(to: URL(filePath: file))
        let times = [timespec](repeating: timespec(tv_sec: .max, tv_nsec: 0), count: 2)
        #expect(utimensat(AT_FDCWD, file, times, 0) == 0)
        inbox.sweep(now: Instant(microseconds: 1_795_258_800_000_000))
        #expect(folder.files == [name])
    }

    @Test func `a file that others can write is not read`() throws {
        let folder = try Folder()
        let inbox = try Inbox.made(folder.inbox)
        let item = Self.item("tea")
        try inbox.write(item, files: [])
        let file = "\(folder.inbox)/\(item.id).json"
        #expect(chmod(file, 0o622) == 0)
        #expect(throws: NotificationError.self) { try inbox.item(item.id) }
        #expect(chmod(folder.inbox, 0o777) == 0)
        #expect(throws: NotificationError.self) { try Inbox.made(folder.inbox) }
        #expect(symlink(folder.inbox, folder.path + "/link") == 0)
        #expect(throws: NotificationError.self) { try Inbox.opened(folder.path + "/link") }
    }

    @Test func `a text that is too long is refused and leaves no file`() throws {
        let folder = try Folder()
        let inbox = try Inbox.made(folder.inbox)
        var item = Self.item("long")
        item.request.content.body = String(repeating: "x", count: Inbox.maximumSize)
        let error = #expect(throws: NotificationError.self) { try inbox.write(item, files: []) }
        #expect(error?.code == .invalidArgument)
        #expect(folder.files.isEmpty)
    }

    @Test func `the wake pipe gets one byte for each entry and no other byte`() throws {
        let folder = try Folder()
        let inbox = try Inbox.made(folder.inbox)
        let pipe = try #require(inbox.openWakePipe())
        defer { close(pipe) }
        var bytes = [UInt8](repeating: 7, count: 8)
        #expect(read(pipe, &bytes, 8) == -1)
        try inbox.write(Self.item("a"), files: [])
        try Inbox.made(folder.inbox).write(Self.item("b"), files: [])
        #expect(read(pipe, &bytes, 8) == 2)
        #expect(read(pipe, &bytes, 8) == -1)
    }

    @Test func `only one daemon at a time can lock the inbox`() throws {
        let folder = try Folder()
        let first = try Inbox.made(folder.inbox)
        #expect(first.lock())
        #expect(try Inbox.made(folder.inbox).lock() == false)
    }
}
