import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Requests left in the inbox while no centre ran", .timeLimit(.minutes(2)))
struct TakingTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private func after(_ seconds: Int64) -> Instant {
        ManualClock.start.adding(microseconds: seconds * 1_000_000)
    }

    private func entry(
        _ identifier: String, _ trigger: NotificationTrigger?, at seconds: Int64,
        entryID: String? = nil, configure: (inout NotificationRequest) -> Void = { _ in }
    ) -> InboxEntry {
        var request = NotificationRequest.sample(identifier, trigger)
        configure(&request)
        return InboxEntry(
            entryID: entryID ?? identifier, date: after(seconds), item: RequestWithFiles(request))
    }

    @Test
    func `an entry is imported once, whatever its outcome, even after a restart`() async throws {
        var engine = try await fixture.start()
        let tea = entry("tea", .at(after(600)), at: -60)
        try await engine.importEntry(tea, for: app)
        try await engine.importEntry(tea, for: app)
        #expect(try await engine.pending(of: app).map(\.nextFire) == [after(600)])
        try await engine.removePending(.all, of: app)
        await engine.stop()
        engine = try await fixture.start()
        try await engine.importEntry(tea, for: app)
        #expect(try await engine.pending(of: app).isEmpty)
        try await engine.forgetEntryIDs(but: ["tea", "other"])
        try await engine.importEntry(tea, for: app)
        #expect(try await engine.pending(of: app).isEmpty)
        try await engine.forgetEntryIDs(but: [])
        try await engine.importEntry(tea, for: app)
        #expect(try await engine.pending(of: app).count == 1)
    }

    @Test
    func `an entry's dates count from its creation, and past dates cause one late popup`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.importEntry(entry("once", .at(after(-600)), at: -3_600), for: app)
        let rule = NotificationTrigger.rule(NotificationRule("every 10m", count: 9))
        try await engine.importEntry(entry("rule", rule, at: -1_500), for: app)
        try await engine.importEntry(entry("now", nil, at: -60), for: app)
        await engine.untilAtRest()
        #expect(presenter.titles.sorted() == ["now", "once", "rule"])
        // The entry is 25 minutes old and fires every ten minutes: its next date is in 5 minutes.
        #expect(try await engine.pending(of: app).map(\.nextFire) == [after(300)])
    }

    @Test
    func `an entry with the skip policy is not shown late`() async throws {
        let engine = try await fixture.start()
        let missed = entry("skip", .at(after(-600)), at: -3_600) { $0.catchUp = .skip }
        try await engine.importEntry(missed, for: app)
        try await engine.importEntry(
            entry("grace", .at(after(-600)), at: -3_600) { $0.grace = 900 }, for: app)
        await engine.untilAtRest()
        #expect(presenter.titles == ["grace"])
        #expect(try await engine.pending(of: app).isEmpty)
    }

    @Test
    func `an unusable entry changes nothing and leaves no entry ID`() async throws {
        let engine = try await fixture.start()
        await #expect(throws: NotificationError.self) {
            try await engine.importEntry(
                entry("a", .rule(NotificationRule("every frob")), at: 0, entryID: "m"), for: app)
        }
        try await engine.importEntry(entry("a", .at(after(60)), at: 0, entryID: "m"), for: app)
        #expect(try await engine.pending(of: app).count == 1)
    }

    @Test
    func `an entry that one store imported is not imported again after the stores are merged`()
        async throws
    {
        let other = StoreLayout(directory: fixture.directory.path + "/other")
        let first = try await fixture.start(layout: other)
        let tea = entry("tea", .at(after(600)), at: 0)
        try await first.importEntry(tea, for: app)
        try await first.removePending(.all, of: app)
        await first.stop()
        let second = try await fixture.start()
        await second.adopt([other])
        try await second.importEntry(tea, for: app)
        #expect(try await second.pending(of: app).isEmpty)
    }

    @Test
    func `the engine that adopts a store closes the popup that the store's process left open`()
        async throws
    {
        let other = StoreLayout(directory: fixture.directory.path + "/other")
        let popup = PresentedPopup(id: 3, server: "server")
        let store = try CenterStore(
            layout: other, bootID: "first-boot", rules: .engine(.sample), onSchedule: { _ in })
        try await store.add(.sample("tea"))
        try await store.deliver(.delivered(popup))
        _ = try await store.removeDelivered(.all, of: app)
        // The process dies here, before it closes the popup.
        store.close()
        let engine = try await fixture.start()
        await engine.adopt([other])
        #expect(presenter.adopted.all.contains([.sample("tea"): popup]))
        #expect(presenter.withdrawn.all == [.sample("tea")])
    }

    @Test func `many entries are imported in few commits, despite an unusable entry`()
        async throws
    {
        let steps = Recording<EngineStep>()
        let engine = try await fixture.start { steps.append($0) }
        // Leave out the commits of the start itself.
        await engine.untilAtRest()
        let before = steps.all.count { $0 == .committed }
        var all = (0..<200).map { entry("r\($0)", .at(after(600)), at: -60) }
        all[7] = entry("r7", .rule(NotificationRule("every frob")), at: -60)
        all[9] = entry("r8", .at(after(900)), at: -60, entryID: "again")
        let errors = try await engine.importEntries(all, for: app)
        let commits = steps.all.count { $0 == .committed } - before
        #expect(errors.indices.filter { errors[$0] != nil } == [7])
        let pending = try await engine.pending(of: app)
        #expect(Set(pending.map(\.request.identifier)).count == 198)
        #expect(
            pending.last?.request.identifier == "r8", "the later entry replaces the earlier entry")
        #expect(commits <= 3, "\(commits)")
    }

    @Test
    func `a wait for an idle app ends when an entry removes the last request`() async throws {
        let engine = try await fixture.start()
        try await engine.importEntry(entry("tea", .at(after(600)), at: 0), for: app)
        let wait = Task.immediateDetached { [app] in
            try await engine.waitUntilIdle(app, includingPopups: false)
        }
        // The second call returns after the engine has checked whether the app is idle.
        try await engine.rest()
        try await engine.rest()
        // A request whose date is past replaces a pending request, and never fires.
        var past = CalendarComponents()
        past.year = 2_000
        try await engine.importEntry(
            entry("tea", .calendar(past, repeats: false), at: 0, entryID: "past"), for: app)
        #expect(try await engine.pending(of: app).isEmpty)
        try await wait.value
    }

    @Test
    func `the files of an entry are stored once, even if the entry comes twice`() async throws {
        let engine = try await fixture.start()
        let path = try fixture.directory.write(TestPNG.bytes, to: "a.png")
        var request = NotificationRequest.sample("a", .at(after(60)))
        request.content.attachments = [.init(identifier: "0", path: path, type: "public.png")]
        for _ in 0..<2 {
            try await engine.importEntry(
                InboxEntry(
                    entryID: "m", date: after(0),
                    item: RequestWithFiles(request, files: [OpenFile(path: path)])), for: app)
        }
        let stored = try await engine.pending(of: app)[0].request.content.attachments[0].path
        #expect(try OpenFile(path: stored).size == TestPNG.bytes.count)
        let files = try FileManager.default.contentsOfDirectory(atPath: fixture.layout.attachments)
        #expect(files.count == 1, "the copy of the second import is removed")
    }
}
