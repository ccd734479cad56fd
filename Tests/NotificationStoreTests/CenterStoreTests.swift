import Foundation
import GRDB
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// A claim marks due rows as being shown; a settlement stores how the showing of a row ended.
@Suite("The store", .timeLimit(.minutes(2)))
struct CenterStoreTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    @Test
    func `pending requests are listed in firing order, also after a reopening`() async throws {
        let store = try fixture.open()
        for (seconds, name) in [(300.0, "c"), (100, "a"), (200, "b"), (100, "a2")] {
            try await store.add(.after(seconds, name))
        }
        try await store.add(.sample("at", .at(ManualClock.start.adding(microseconds: 150_000_000))))
        #expect(try await store.identifiers() == ["a", "a2", "at", "b", "c"])
        store.close()
        let again = try fixture.open()
        #expect(try await again.identifiers() == ["a", "a2", "at", "b", "c"])
    }

    @Test
    func `a request replaces only the pending request with the same app and identifier`()
        async throws
    {
        let store = try fixture.open()
        let other = try ApplicationID("org.example.Other")
        try await store.add(.after(100, "a"))
        try await store.add(.after(100, "a"), app: other)
        try await store.add(.sample("a", .interval(seconds: 50, repeats: false), title: "new"))
        let mine = try await store.pending(of: .tocsin, now: fixture.now)
        #expect(mine.map(\.request.content.title) == ["new"])
        #expect(mine.first?.nextFire == ManualClock.start.adding(microseconds: 50_000_000))
        #expect(try await store.identifiers(of: nil) == ["a", "a"])
        #expect(try await store.counts().0 == 2)
    }

    @Test
    func `a removal removes the named requests or all of an app, and ignores unknown names`()
        async throws
    {
        let store = try fixture.open()
        let other = try ApplicationID("org.example.Other")
        for name in ["a", "b", "c"] { try await store.add(.after(10, name)) }
        try await store.add(.after(10, "a"), app: other)
        _ = try await store.removePending(.identifiers(["b", "nothing"]), of: .tocsin)
        #expect(try await store.identifiers() == ["a", "c"])
        _ = try await store.removePending(.all, of: .tocsin)
        #expect(try await store.identifiers() == [])
        #expect(try await store.identifiers(of: other) == ["a"])
    }

    @Test
    func `a claim takes the due rows of both clocks, oldest first, and skips excluded apps`()
        async throws
    {
        let store = try fixture.open()
        let other = try ApplicationID("org.example.Other")
        try await store.add(.after(3, "c"))
        try await store.add(.sample("b", .at(ManualClock.start.adding(microseconds: 2_000_000))))
        try await store.add(.after(1, "a"))
        try await store.add(.after(1, "o"), app: other)
        try await store.add(.after(60, "later"))
        var now = fixture.now
        #expect(try await store.claim(limit: 64, excluding: [], now: now).isEmpty)
        now.wall = now.wall.adding(microseconds: 5_000_000)
        now.boot += 5_000_000
        let first = try await store.claim(limit: 2, excluding: [other], now: now)
        #expect(first.map(\.request.identifier) == ["a", "b"])
        let rest = try await store.claim(limit: 64, excluding: [], now: now)
        #expect(rest.map(\.request.identifier) == ["o", "c"])
        #expect(try await store.claim(limit: 64, excluding: [], now: now).isEmpty)
        let states = try await store.pending(of: .tocsin, now: now).map(\.state)
        #expect(states == [.presenting, .presenting, .presenting, .pending])
    }

    @Test
    func `a claimed row is due again after a restart, and no other row changes`() async throws {
        let store = try fixture.open()
        try await store.add(.sample("a"))
        try await store.add(.after(60, "b"))
        #expect(try await store.claim(limit: 64, excluding: [], now: fixture.now).count == 1)
        store.close()
        let again = try fixture.open()
        try await again.adoptThisBoot(now: fixture.now)
        #expect(try await again.deliver() == ["a"])
        #expect(try await again.identifiers() == ["b"])
    }

    @Test
    func `each outcome of a delivery leaves the store in the documented state`() async throws {
        let store = try fixture.open()
        try await store.add(.sample("a"))
        try await store.deliver(.requeued)
        #expect(try await store.identifiers() == ["a"])
        try await store.deliver(.delivered(PresentedPopup(id: 7, server: ":1.1")))
        #expect(try await store.identifiers() == [])
        #expect(try await store.popups() == [.sample("a"): PresentedPopup(id: 7, server: ":1.1")])
        try await store.add(.sample("b"))
        try await store.deliver(.suppressed)
        try await store.add(.sample("c"))
        try await store.deliver(.failed(.refused, "the server said no"))
        #expect(try await store.delivered(of: .tocsin).map(\.request.identifier) == ["a"])
        #expect(try await store.records().map { $0.contains("the server said no") } == [true])
        #expect(try await store.counts() == (0, 1, 0))
    }

    @Test func `a request without a popup removes the notification that it replaces`()
        async throws
    {
        let store = try fixture.open()
        try await store.add(.sample("a"))
        try await store.deliver(.delivered(PresentedPopup(id: 7, server: ":1.1")))
        try await store.add(.sample("a"))
        let claimed = try await store.claim(limit: 1, excluding: [], now: fixture.now)
        let retired = try await store.settle(
            claimed.map {
                Settlement(claimed: $0, outcome: .withoutPopup, date: fixture.now.wall)
            }, now: fixture.now)
        #expect(retired.keys == [.sample("a")])
        #expect(try await store.delivered(of: .tocsin).isEmpty)
        store.close()
        // A process that dies before it closes the popup leaves the popup to the next process.
        let next = try fixture.open()
        let left = try await next.adoptThisBoot(now: fixture.now).popups
        #expect(left == [.sample("a"): PresentedPopup(id: 7, server: ":1.1")])
    }

    @Test
    func `a request that is removed while it is being shown does not come back`() async throws {
        let store = try fixture.open()
        try await store.add(.after(60, "a", repeats: true))
        var now = fixture.now
        now.boot += 60_000_000
        let claimed = try await store.claim(limit: 1, excluding: [], now: now)
        let row = try #require(claimed.first)
        #expect(try await store.removePending(.all, of: .tocsin).presenting == [row.row])
        for outcome: Settlement.Outcome in [.requeued, .suppressed, .delivered(nil)] {
            try await store.settle(
                [
                    Settlement(claimed: row, outcome: outcome, date: now.wall)
                ], now: now)
        }
        #expect(try await store.identifiers() == [])
    }

    @Test
    func `before a change returns, each clock has an alarm for its earliest request`()
        async throws
    {
        let store = try fixture.open()
        let at = ManualClock.start.adding(microseconds: 9_000_000)
        try await store.add(.sample("at", .at(at)))
        #expect(fixture.heads.all.last == ScheduleHead(wall: at))
        try await store.add(.after(5, "in"))
        #expect(
            fixture.heads.all.last
                == ScheduleHead(wall: at, boot: fixture.now.boot + 5_000_000))
        _ = try await store.removePending(.all, of: .tocsin)
        #expect(fixture.heads.all.last == ScheduleHead())
    }

    @Test
    func `after a reboot, intervals count by the wall clock`() async throws {
        let store = try fixture.open()
        for index in 0..<5 { try await store.add(.after(60, "r\(index)")) }
        store.close()
        let again = try fixture.open(bootID: "second-boot")
        var now = ClockReading.sample(boot: 1_000_000)
        now.bootID = "second-boot"
        try await again.adoptThisBoot(now: now)
        let due = ManualClock.start.adding(microseconds: 60_000_000)
        #expect(fixture.heads.all.last == ScheduleHead(wall: due))
        now.wall = due
        #expect(try await again.deliver(now: now).count == 5)
    }

    @Test
    func `an interval's listed time follows the wall clock, also after a reboot`() async throws {
        let store = try fixture.open()
        try await store.add(.after(60, "a"))
        var now = fixture.now
        now.wall = now.wall.adding(microseconds: 1_000_000_000_000)
        let due = now.wall.adding(microseconds: 60_000_000)
        #expect(try await store.pending(of: nil, now: now).map(\.nextFire) == [due])
        try await store.followWallClock(now: now)
        store.close()
        let again = try fixture.open(bootID: "second-boot")
        try await again.adoptThisBoot(now: now)
        #expect(fixture.heads.all.last == ScheduleHead(wall: due))
    }

    @Test func `after the clock goes back, dates are corrected even if the first attempt fails`()
        async throws
    {
        let store = try fixture.open()
        let ahead = ClockReading.sample(
            wall: ManualClock.start.adding(microseconds: 365 * 86_400_000_000))
        try await store.followWallClock(now: ahead)
        try await store.add(.sample("a", .daily(at: 14)), now: ahead)
        let wrong = try await store.pending(of: nil, now: ahead).map(\.nextFire)
        try await store.change("changed") { database in
            try database.execute(
                sql: """
                    CREATE TEMP TRIGGER refusal BEFORE UPDATE ON request
                    BEGIN SELECT RAISE(ABORT, 'refused by the test'); END
                    """)
        }
        await #expect(throws: NotificationError.self) {
            try await store.followWallClock(now: fixture.now)
        }
        try await store.change("changed") { try $0.execute(sql: "DROP TRIGGER refusal") }
        try await store.followWallClock(now: fixture.now)
        #expect(try await store.pending(of: nil, now: fixture.now).map(\.nextFire) != wrong)
    }

    @Test
    func `only dates without a zone move with the user's zone`() async throws {
        let store = try fixture.open()
        var nine = CalendarComponents()
        nine.hour = 9
        let berlin = ClockReading.sample(zone: "Europe/Berlin")
        for index in 0..<600 {
            try await store.add(.sample("r\(index)", .calendar(nine, repeats: true)), now: berlin)
        }
        nine.timeZone = "Asia/Tokyo"
        try await store.add(.sample("fixed", .calendar(nine, repeats: true)), now: berlin)
        let newYork = ClockReading.sample(zone: "America/New_York")
        try await store.followTimeZone(now: newYork)
        let list = try await store.pending(of: nil, now: newYork)
        let moved = try instant("2026-11-21 14:00:00")
        #expect(list.count { $0.nextFire == moved } == 600)
        #expect(list.last?.request.identifier == "fixed")
        #expect(list.last?.nextFire == (try instant("2026-11-22 00:00:00")))
    }

    // MARK: Responses

    @Test
    func `a response removes its notification and stays until the app acknowledges the response`()
        async throws
    {
        let store = try fixture.open()
        for name in ["a", "b"] {
            try await store.add(.sample(name))
            try await store.deliver()
        }
        let reply = try await store.respond(
            .reply("r", text: "hello"), to: .sample("a"), activationToken: "token")
        #expect(reply?.activationToken == "token")
        #expect(
            try await store.respond(.standard, to: .sample("a")) == nil)
        _ = try await store.respond(.standard, to: .sample("b"))
        #expect(try await store.delivered(of: nil).isEmpty)
        store.close()
        let again = try fixture.open()
        let stored = try await again.responses(of: .tocsin)
        #expect(stored.map(\.action) == [.reply("r", text: "hello"), .standard])
        #expect(stored.first == reply)
        try await again.acknowledge(stored[0].id, of: try ApplicationID("org.example.Other"))
        #expect(
            try await again.responses(of: .tocsin).count == 2,
            "another app cannot acknowledge the response")
        try await again.acknowledge(stored[0].id, of: .tocsin)
        #expect(try await again.responses(of: .tocsin).map(\.id) == [stored[1].id])
    }

    @Test func `a response that is not kept still removes its notification`() async throws {
        let store = try fixture.open()
        try await store.add(.sample("a"))
        try await store.deliver()
        let response = try await store.respond(.dismiss, to: .sample("a"), isKept: false)
        #expect(response?.action == .dismiss)
        #expect(try await store.responses(of: .tocsin).isEmpty)
        #expect(try await store.delivered(of: nil).isEmpty)
    }

    @Test func `each new response number is larger than all numbers of earlier runs`()
        async throws
    {
        let store = try fixture.open()
        try await store.add(.sample("a"))
        try await store.deliver()
        let stored = try #require(try await store.respond(.standard, to: .sample("a")))
        let unstored = store.nextResponseID()
        #expect(unstored > stored.id)
        store.close()
        let second = try fixture.open()
        let unstoredToo = second.nextResponseID()
        #expect(unstoredToo > unstored)
        second.close()
        #expect(try fixture.open().nextResponseID() > unstoredToo)
    }

    // MARK: Attachments

    @Test
    func `a file is kept while a request, notification or response shows the file`() async throws {
        let store = try fixture.open()
        let file = try await addWithFile("a", to: store)
        try await store.deliver()
        #expect(fixture.exists(file))
        let response = try await store.respond(.standard, to: .sample("a"))
        #expect(fixture.exists(file))
        try await store.sweepAttachments()
        #expect(fixture.exists(file))
        try await store.acknowledge(try #require(response).id, of: .tocsin)
        #expect(!fixture.exists(file))
    }

    @Test
    func `a repeating request keeps its file`() async throws {
        let store = try fixture.open()
        let file = try await addWithFile("a", to: store, .interval(seconds: 60, repeats: true))
        for minute in 1...3 as ClosedRange<Int64> {
            let now = fixture.now.adding(microseconds: minute * 60_000_000)
            #expect(try await store.deliver(now: now) == ["a"])
        }
        _ = try await store.removeDelivered(.all, of: .tocsin)
        #expect(fixture.exists(file))
        _ = try await store.removePending(.all, of: .tocsin)
        #expect(!fixture.exists(file))
    }

    @Test
    func `a request replaced during its presentation keeps its file for the notification`()
        async throws
    {
        let store = try fixture.open()
        let file = try await addWithFile("a", to: store)
        let claimed = try await store.claim(limit: 1, excluding: [], now: fixture.now)
        try await store.add(.after(60, "a"))
        #expect(fixture.exists(file))
        try await store.settle(
            [
                Settlement(
                    claimed: try #require(claimed.first), outcome: .delivered(nil),
                    date: fixture.now.wall)
            ], now: fixture.now)
        #expect(fixture.exists(file), "the delivered notification still shows the file")
        #expect(try await store.removeDelivered(.all, of: .tocsin).keys.count == 1)
        #expect(!fixture.exists(file))
        #expect(try await store.identifiers() == ["a"])
    }

    @Test
    func `a start removes the attachment files that no row names`() async throws {
        let store = try fixture.open()
        let kept = try await addWithFile("a", to: store)
        let stray = fixture.layout.attachments + "/stray.png"
        try Data([1]).write(to: URL(fileURLWithPath: stray))
        store.close()
        let again = try fixture.open()
        try await again.adoptThisBoot(now: fixture.now)
        try await again.sweepAttachments()
        #expect(fixture.exists(kept))
        #expect(!fixture.exists(stray))
    }

    /// Swift treats the two Unicode forms of "é" as equal, but the store must not.
    @Test
    func `a removal removes only the notification with the same identifier bytes`() async throws {
        let store = try fixture.open()
        for name in ["\u{E9}", "e\u{301}"] { try await store.add(.sample(name)) }
        #expect(try await store.deliver().count == 2)
        _ = try await store.removeDelivered(.identifiers(["\u{E9}"]), of: .tocsin)
        let left = try await store.delivered(of: .tocsin).map { Array($0.request.identifier.utf8) }
        #expect(left == [Array("e\u{301}".utf8)])
    }

    private func addWithFile(
        _ name: String, to store: CenterStore, _ trigger: NotificationTrigger? = nil
    ) async throws -> String {
        let source = try fixture.directory.write(TestPNG.bytes, to: "source.png")
        var request = NotificationRequest.sample(name, trigger)
        request.content.attachments = try store.vault.store(
            [NotificationAttachment(identifier: "i", path: source, type: "public.png")],
            from: [OpenFile(path: source)])
        try await store.add(request)
        return request.content.attachments[0].path
    }
}
