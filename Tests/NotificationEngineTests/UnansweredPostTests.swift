import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Posts that the last run left unanswered", .timeLimit(.minutes(2)))
struct UnansweredPostTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin

    init() throws {
        fixture = try EngineFixture()
    }

    /// The request must not wait until another request starts a server.
    @Test func `a post to a server that is gone is repeated before another server runs`()
        async throws
    {
        let presenter = fixture.presenter
        presenter.answers { _ in .hold }
        let first = try await fixture.start()
        presenter.emit(.serverIdentified(isPersistent: true, server: ":1.1"))
        try await first.add(.sample("a"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        await first.stop(waiting: .zero)
        presenter.answers { _ in .present }
        let engine = try await fixture.start()
        await engine.untilAtRest()
        #expect(
            presenter.titles == ["a"],
            "the server ':1.1' may still show the popup of the first run")
        presenter.emit(.serverMissing)
        await engine.untilAtRest()
        #expect(presenter.titles == ["a", "a"])
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["a"])
        await engine.stop()
    }

    /// The due time on the clock of the earlier boot may lie hours ahead on the new clock.
    @Test func `a post from before a reboot is repeated as soon as another server runs`()
        async throws
    {
        let presenter = fixture.presenter
        presenter.answers { _ in .hold }
        let first = try await fixture.start()
        presenter.emit(.serverIdentified(isPersistent: true, server: ":1.1"))
        try await first.add(.sample("a"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        await first.stop(waiting: .zero)
        presenter.answers { _ in .present }
        fixture.clock.reboot(after: .seconds(60))
        let engine = try await fixture.start()
        presenter.emit(.serverIdentified(isPersistent: true, server: ":1.2"))
        await engine.untilAtRest()
        #expect(presenter.titles == ["a", "a"])
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["a"])
        await engine.stop()
    }

    /// If the file stayed, it would count against the app's limit until the next start.
    @Test(arguments: [":1.1", ":1.2"])
    func `a post that the app removes before its outcome is stored leaves no file`(
        server: String
    ) async throws {
        let presenter = fixture.presenter
        presenter.answers { _ in .hold }
        let first = try await fixture.start()
        presenter.emit(.serverIdentified(isPersistent: true, server: ":1.1"))
        let path = try fixture.directory.write(TestPNG.bytes, to: "a.png")
        var request = NotificationRequest.sample("a")
        request.content.attachments = [.init(identifier: "0", path: path, type: "public.png")]
        try await first.add(request, attachments: [OpenFile(path: path)], for: app)
        try await presenter.presentations.first(1)
        await first.stop(waiting: .zero)
        let engine = try await fixture.start()
        try await engine.removePending(.all, of: app)
        let folder = fixture.layout.attachments
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        presenter.emit(.serverIdentified(isPersistent: true, server: server))
        await engine.untilAtRest()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        await engine.stop()
    }
}
