import Foundation
import NotificationModel
import Testing

@Suite struct SymbolicLinkTests {
    @Test func `a long target is read whole, and a file that is not a link has no target`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Foundation cuts such a target after 1,026 bytes.
        let target = String(repeating: "/directory", count: 400)
        let link = folder.appending(path: "link").path
        #expect(symlink(target, link) == 0)
        #expect(SymbolicLink.target(of: link) == target)
        #expect(SymbolicLink.target(of: folder.path) == nil)
        #expect(SymbolicLink.target(of: folder.appending(path: "missing").path) == nil)
    }
}
