import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("The private directory of a store", .timeLimit(.minutes(2)))
struct StoreDirectoryTests {
    let root: TemporaryDirectory

    init() throws {
        root = try TemporaryDirectory()
    }

    func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    /// Opens and closes a store, which makes and checks its directory.
    func open(_ path: String) throws {
        try CenterStore(
            layout: StoreLayout(directory: path), bootID: "b", rules: .engine(.sample)
        ) { _ in }.close()
    }

    func refusal(_ path: String) -> NotificationError? {
        #expect(throws: NotificationError.self) { try open(path) }
    }

    @Test
    func `a missing directory is made with all its parents, private to the user`() throws {
        let path = root.path + "/home/.local/state/tocsin"
        try open(path)
        for directory in [path, root.path + "/home/.local", root.path + "/home"] {
            #expect(try mode(directory) == 0o700)
        }
        try open(path)
    }

    @Test
    func `a directory that others can read is made private`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: root.path)
        try open(root.path)
        #expect(try mode(root.path) == 0o700)
    }

    @Test
    func `a link, a file and a relative path are refused`() throws {
        let link = root.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/tmp")
        #expect(refusal(link)?.message.contains("link") == true)
        let file = try root.write([1], to: "file")
        #expect(refusal(file)?.code == .storeUnavailable)
        #expect(refusal("relative/path")?.message.contains("absolute") == true)
        #expect(refusal(file + "/below")?.code == .storeUnavailable)
    }

    @Test(arguments: [0o722, 0o720, 0o702])
    func `a directory that others can write is refused, and the error names the remedy`(
        permissions: Int
    ) throws {
        let path = root.path + "/it's open"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: path)
        let command = "chmod 700 '\(root.path)/it'\\''s open'"
        #expect(refusal(path)?.message.contains("Run: \(command)") == true)
        #expect(try mode(path) == permissions)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
    func `another user's directory is refused`() throws {
        let path = root.path + "/foreign"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700, .ownerAccountID: 12_345])
        #expect(refusal(path)?.message.contains("12345") == true)
    }

    @Test
    func `the files of a store are private to the user`() async throws {
        let layout = StoreLayout(directory: root.path + "/store")
        let store = try CenterStore(layout: layout, bootID: "b", rules: .engine(.sample)) { _ in }
        _ = try await store.counts()
        for path in [layout.database, layout.database + "-wal", layout.lock, layout.reserve] {
            #expect(try mode(path) == 0o600, "\(path)")
        }
        #expect(try mode(layout.attachments) == 0o700)
    }
}
