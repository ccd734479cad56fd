import Foundation
import TestSupport
import Testing

/// An inbox that the daemon cannot use for a while.
@Suite(.timeLimit(.minutes(2))) struct InboxOutageTests {
    /// A daemon that gave up would read the inbox only at the next login.
    @Test func `an inbox that could not be made at the start is imported when it can be made`()
        async throws
    {
        let user = try InboxProgramTests.User()
        let former = try await user.login()
        await former.stop()
        // Nothing can make a folder where a file lies.
        try FileManager.default.removeItem(atPath: user.inbox)
        try Data().write(to: URL(filePath: user.inbox))
        let server = try await ScriptedServer.start(on: user.bus)
        let daemon = try await user.login()
        #expect(daemon.said.contains("the inbox cannot be imported"), "\(daemon.said)")
        try FileManager.default.removeItem(atPath: user.inbox)
        let added = try await user.cron("in", "200ms", "Soon")
        #expect(added.status == 0, "\(added.errors)")
        try await server.calls.first("the popup") { $0.summary == "Soon" }
        await daemon.stop()
        await server.stop()
    }
}
