import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Requests that are added together", .timeLimit(.minutes(2)))
struct AddManyTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin

    init() throws {
        fixture = try EngineFixture()
    }

    private func many(_ identifiers: String...) -> [RequestWithFiles] {
        identifiers.map { RequestWithFiles(.after(600, $0)) }
    }

    private func attached(_ identifier: String, _ type: String) throws -> RequestWithFiles {
        let path = try fixture.directory.write(TestPNG.bytes, to: identifier + ".png")
        var request = NotificationRequest.after(60, identifier)
        request.content.attachments = [.init(identifier: "0", path: path, type: type)]
        return RequestWithFiles(request, files: [try OpenFile(path: path)])
    }

    private func files() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: fixture.layout.attachments).count
    }

    @Test
    func `requests of one call are stored in one commit, with their files, in order`()
        async throws
    {
        let commits = Recording<EngineStep>()
        let engine = try await fixture.start { commits.append($0) }
        await engine.untilAtRest()
        let before = commits.all.count { $0 == .committed }
        try await engine.add(
            try [attached("p", "public.png")] + many("a", "b", "a"), for: app)
        #expect(commits.all.count { $0 == .committed } == before + 1)
        let list = try await engine.pending(of: app)
        #expect(list.map(\.request.identifier) == ["p", "b", "a"])
        #expect(try files() == 1)
        await engine.untilAtRest()
        fixture.clock.advance(by: .seconds(600))
        let shown = try await fixture.presenter.presentations.first(3)
        #expect(shown.map(\.notification.request.identifier) == ["p", "b", "a"])
    }

    @Test
    func `a call with one invalid request fails, and stores no request and no file`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.after(5, "kept"), attachments: [], for: app)
        let good = try attached("good", "public.png")
        let cases: [(RequestWithFiles, NotificationError.Code, String)] = [
            (RequestWithFiles(.after(0, "bad")), .invalidArgument, "Request 2 of 3"),
            (try attached("wrong", "public.mpeg"), .attachmentCorrupt, "Request 2 of 3"),
        ]
        for (bad, code, text) in cases {
            let error = await #expect(throws: NotificationError.self) {
                try await engine.add([good, bad] + many("kept"), for: app)
            }
            #expect(error?.code == code)
            #expect(error?.message.hasPrefix(text) == true, "\(error?.message ?? "")")
        }
        let list = try await engine.pending(of: app)
        #expect(list.map(\.request) == [.after(5, "kept")])
        #expect(try files() == 0)
    }

    @Test
    func `a call whose requests together exceed the limit of an app is refused`() async throws {
        var limits = StoreLimits()
        limits.pending = 3
        let engine = try await fixture.start(limits: limits)
        try await engine.add(many("a", "b"), for: app)
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(many("c", "d"), for: app)
        }
        #expect(error?.code == .limitReached)
        try await engine.add(many("b", "c", "a"), for: app)
        #expect(try await engine.pending(of: app).count == 3)
        let count = RequestWithFiles.limit + 1
        let tooMany = await #expect(throws: NotificationError.self) {
            let items = (0..<count).map { RequestWithFiles(.after(60, "\($0)")) }
            try await engine.add(items, for: app)
        }
        #expect(tooMany?.code == .limitReached)
    }

    @Test
    func `a request with a past date only removes its predecessor, and an empty call is accepted`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.add(many("a", "b"), for: app)
        var year = CalendarComponents()
        year.year = 2001
        let past = NotificationTrigger.calendar(year, repeats: false)
        try await engine.add([RequestWithFiles(.sample("a", past))] + many("c"), for: app)
        #expect(try await engine.pending(of: app).map(\.request.identifier) == ["b", "c"])
        try await engine.add([RequestWithFiles](), for: app)
    }
}
