import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite(
    "A full disk", .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs is not allowed here"),
    .timeLimit(.minutes(2)))
struct DiskFullTests {
    @Test
    func `new requests are refused until there is space, and stored requests still fire`()
        async throws
    {
        let disk = try SmallDisk(megabytes: 24)
        defer { disk.unmount() }
        let clock = ManualClock()
        let fixture = try EngineFixture(clock: clock)
        let engine = try await fixture.start(layout: StoreLayout(directory: disk.path + "/store"))
        for index in 0..<200 {
            try await engine.add(.after(60, "r\(index)"), attachments: [], for: .tocsin)
        }
        try disk.fill()
        var refusal: NotificationError?
        for index in 0..<2_000 where refusal == nil {
            do {
                var request = NotificationRequest.after(7_200, "late\(index)")
                request.content.body = String(repeating: "x", count: 20_000)
                try await engine.add(request, attachments: [], for: .tocsin)
            } catch {
                refusal = error
            }
        }
        #expect(refusal?.code == .noSpace)
        #expect(refusal?.message.contains("disk is full") == true)
        #expect(refusal?.message.contains("free at least") == true, "\(refusal?.message ?? "")")
        clock.advance(by: .seconds(60))
        try await fixture.presenter.presentations.first(200)
        try await engine.rest()
        #expect(fixture.presenter.titles.prefix(200) == (0..<200).map { "r\($0)" }[...])
        #expect(try await engine.delivered(of: nil).count == 100)
        await #expect(throws: NotificationError.self, "the disk is still full") {
            try await engine.add(.after(60, "still"), attachments: [], for: .tocsin)
        }
        #expect(try await engine.status().isStoreFull)
        try disk.empty()
        #expect(try await !engine.status().isStoreFull)
        try await engine.add(.after(60, "again"), attachments: [], for: .tocsin)
        #expect(try await engine.pending(of: .tocsin).contains { $0.request.identifier == "again" })
        await engine.stop()
    }

    @Test func `an app gets a response once, even if the disk is too full to store it`()
        async throws
    {
        let disk = try SmallDisk(megabytes: 12)
        defer { disk.unmount() }
        let clock = ManualClock()
        let fixture = try EngineFixture(clock: clock)
        let engine = try await fixture.start(
            layout: StoreLayout(directory: disk.path + "/store"), hosting: "daemon")
        let heard = Recording<NotificationResponse>()
        let session = try await engine.connect(.sample(), asksBeforePresenting: false) { event in
            if case .response(let response) = event { heard.append(response) }
        }
        for name in ["done", "kept"] {
            try await engine.add(.sample(name), attachments: [], for: .tocsin)
        }
        try await fixture.presenter.presentations.first(2)
        try await engine.rest()
        try disk.fill()
        #expect(await engine.store.releaseReserve())
        try disk.fill()
        fixture.presenter.respond(.sample("done"))
        fixture.presenter.respond(.sample("kept"))
        let responses = try await heard.first(2)
        try await engine.rest()
        #expect(
            try await engine.status().responseCount == 0,
            "the full disk has no space for the responses")
        try await engine.acknowledge(responses[0].id, of: .tocsin)
        try disk.empty()
        clock.advance(by: .seconds(1))
        try await engine.rest()
        #expect(try await engine.delivered(of: .tocsin).isEmpty)
        #expect(heard.all.count == 2)
        #expect(try await engine.status().responseCount == 1)
        await engine.disconnect(session)
        let again = Recording<NotificationResponse>()
        _ = try await engine.connect(.sample(), asksBeforePresenting: false) { event in
            if case .response(let response) = event { again.append(response) }
        }
        #expect(try await again.first(1).map(\.id) == [responses[1].id])
        await engine.stop()
    }

    /// If another program fills even the store's reserve, no popup can be marked as delivered.
    ///
    /// The next process must not post those popups again.
    @Test func `the next process does not repeat deliveries that could not be stored`()
        async throws
    {
        let disk = try SmallDisk(megabytes: 12)
        defer { disk.unmount() }
        let fixture = try StoreFixture()
        let layout = StoreLayout(directory: disk.path + "/store")
        let store = try fixture.open(layout: layout)
        for index in 0..<40 { try await store.add(.sample("r\(index)")) }
        try await store.add(.after(60, "rule", repeats: true))
        var now = fixture.now
        now.boot += 60_000_000
        let shown = try await store.claim(limit: 64, excluding: [], now: now)
        #expect(shown.count == 41)
        try disk.fill()
        #expect(store.releaseReserve())
        try disk.fill()
        let popups = shown.indices.map { PresentedPopup(id: UInt32($0), server: ":1.9") }
        let ends = zip(shown, popups).map {
            Settlement(claimed: $0, outcome: .delivered($1), date: now.wall)
        }
        let error = await #expect(throws: NotificationError.self) {
            try await store.settle(ends, now: now)
        }
        #expect(error?.code == .noSpace)
        // These are the files of a process that is killed now.
        let left = StoreLayout(directory: fixture.directory.path + "/left")
        try FileManager.default.copyItem(atPath: layout.directory, toPath: left.directory)
        let next = try fixture.open(layout: left)
        try await next.adoptThisBoot(now: now)
        #expect(try await next.deliver(now: now).isEmpty)
        #expect(try await next.delivered(of: nil).count == 41)
        #expect(Set(try await next.popups().values) == Set(popups))
        #expect(
            try await next.identifiers() == ["rule"], "the rule stays pending for its next date")
        #expect(next.unstoredDeliveries == 0)
        // A surviving process stores the deliveries when the disk has space again.
        #expect(store.unstoredDeliveries == 41)
        try disk.empty()
        try await store.settle(ends, now: now)
        #expect(store.unstoredDeliveries == 0)
        store.close()
        next.close()
    }

    /// After the removal, only the open database still has the requests.
    @Test func `a store that was removed on a full disk is written anew when there is space`()
        async throws
    {
        let disk = try SmallDisk(megabytes: 12)
        defer { disk.unmount() }
        let fixture = try StoreFixture()
        let layout = StoreLayout(directory: disk.path + "/store")
        let store = try fixture.open(layout: layout)
        try await store.add(.after(60, "kept"))
        #expect(store.releaseReserve())
        try disk.fill()
        // The removed files still take space while the database is open.
        for path in [layout.database, layout.log] {
            try FileManager.default.removeItem(atPath: path)
        }
        let error = await #expect(throws: NotificationError.self) {
            try await store.add(.after(60, "refused"))
        }
        #expect(error?.code == .noSpace)
        try disk.empty()
        try await store.add(.after(60, "new"))
        store.close()
        let next = try fixture.open(layout: layout)
        #expect(try await next.identifiers().sorted() == ["kept", "new"])
        next.close()
    }

    @Test
    func `a full disk refuses only the request whose attachment does not fit`() async throws {
        let disk = try SmallDisk(megabytes: 12)
        defer { disk.unmount() }
        let fixture = try EngineFixture(presenter: RecordingPresenter(isAvailable: false))
        let layout = StoreLayout(directory: disk.path + "/store")
        let engine = try await fixture.start(layout: layout)
        let large = try fixture.directory.write(
            TestPNG.bytes + [UInt8](repeating: 7, count: 9 << 20), to: "a.png")
        var request = NotificationRequest.after(60, "a")
        request.content.attachments = [
            NotificationAttachment(identifier: "i", path: large, type: "public.png")
        ]
        let illustrated = request
        let file = try OpenFile(path: large)
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(illustrated, attachments: [file], for: .tocsin)
        }
        #expect(error?.code == .noSpace)
        #expect(try FileManager.default.contentsOfDirectory(atPath: layout.attachments).isEmpty)
        try await engine.add(.after(60, "b"), attachments: [], for: .tocsin)
        await engine.stop()
    }
}
