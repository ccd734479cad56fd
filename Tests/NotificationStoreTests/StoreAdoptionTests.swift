import Foundation
import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("One store takes over another", .timeLimit(.minutes(2)))
struct StoreAdoptionTests {
    let fixture: StoreFixture
    let now = ClockReading.sample()
    let app = ApplicationID.tocsin
    var other: StoreLayout { StoreLayout(directory: fixture.directory.path + "/other") }

    init() throws {
        fixture = try StoreFixture()
    }

    private func illustrated(
        _ identifier: String, in store: CenterStore
    ) throws -> NotificationRequest {
        let path = try fixture.directory.write(TestPNG.bytes, to: "a.png")
        var request = NotificationRequest.after(60, identifier)
        request.content.attachments = try store.vault.store(
            [NotificationAttachment(identifier: "a", path: path, type: "public.png")],
            from: [try OpenFile(path: path)])
        return request
    }

    private func files(_ layout: StoreLayout) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: layout.attachments)
    }

    /// Makes a store with a response, a permission, and a pending request that has an attachment.
    private func fill(_ layout: StoreLayout, bootID: String = "first-boot") async throws {
        let store = try fixture.open(bootID: bootID, layout: layout)
        try await store.add(.after(0.001, "shown"))
        try await store.deliver(
            .delivered(PresentedPopup(id: 7, server: "server")),
            now: .sample(boot: now.boot + 2_000))
        _ = try await store.respond(
            .standard, to: NotificationKey(app: app, identifier: "shown"))
        try await store.add(illustrated("waits", in: store))
        try await store.save(Permission(.authorized), of: app)
        store.close()
    }

    @Test
    func `an adoption moves requests, files, responses and permissions, and removes the store`()
        async throws
    {
        try await fill(other)
        let store = try fixture.open()
        #expect(try await store.adopt(other, now: now) != nil)
        #expect(try await store.identifiers() == ["waits"])
        let pending = try await store.pending(of: app, now: now)
        let path = try #require(pending.first?.request.content.attachments.first?.path)
        #expect(path.hasPrefix(fixture.layout.attachments))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(TestPNG.bytes))
        #expect(try await store.responses(of: app).map(\.action) == [.standard])
        #expect(try await store.values(of: AppColumns.permission)[app]?.status == .authorized)
        #expect(!fixture.exists(other.directory))
        try await store.sweepAttachments()
        #expect(
            try files(fixture.layout).count == 1,
            "the sweep keeps the file, because a row refers to it")
    }

    /// The app of an adopted response still uses the number from the other store.
    ///
    /// If the response got a new number, the app's acknowledgement would name a different response.
    @Test func `an adopted response keeps its number, and later responses get other numbers`()
        async throws
    {
        try await fill(other)
        let former = try fixture.open(layout: other)
        let response = try #require(try await former.responses(of: app).first)
        let unstored = former.nextResponseID()
        former.close()
        let store = try fixture.open()
        try await store.add(.sample("mine"))
        try await store.deliver()
        let mine = try #require(try await store.respond(.standard, to: .sample("mine")))
        #expect(try await store.adopt(other, now: now) != nil)
        #expect(try await Set(store.responses(of: app).map(\.id)) == [mine.id, response.id])
        try await store.acknowledge(response.id, of: app)
        #expect(
            try await store.responses(of: app).map(\.notification.request.identifier) == ["mine"])
        let last = store.nextResponseID()
        #expect(last > max(unstored, mine.id))
        store.close()
        #expect(try fixture.open().nextResponseID() > last)
    }

    /// A store of an early version numbers its responses from 1, so two stores may use one number.
    @Test
    func `an adopted response whose number is in use gets a number that neither store has used`()
        async throws
    {
        func answer(_ names: [String], in store: CenterStore) async throws -> Int64 {
            for name in names { try await store.add(.sample(name)) }
            try await store.deliver()
            var first: Int64?
            for name in names {
                let response = try await store.respond(.standard, to: .sample(name))
                first = first ?? response?.id
            }
            return try #require(first)
        }
        let store = try fixture.open()
        let mine = try await answer(["mine"], in: store)
        let former = try fixture.open(layout: other)
        let first = try await answer(["first", "second"], in: former)
        former.close()
        try renumberResponses(of: other, by: mine - first, last: mine + 1)
        #expect(try await store.adopt(other, now: now) != nil)
        let numbers = try await store.responses(of: app).map {
            ($0.notification.request.identifier, $0.id)
        }
        #expect(
            Dictionary(uniqueKeysWithValues: numbers)
                == ["mine": mine, "second": mine + 1, "first": mine + 2])
    }

    private func renumberResponses(
        of layout: StoreLayout, by difference: Int64, last: Int64
    ) throws {
        let database = try DatabaseQueue(path: layout.database)
        try database.writeWithoutTransaction { database in
            try database.execute(
                sql: "UPDATE response SET row = row + ?", arguments: [difference])
            try database.execute(
                sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'response'",
                arguments: [last])
        }
        try database.close()
    }

    @Test
    func `taking over a store that does not exist changes nothing and makes no store`() async throws
    {
        let store = try fixture.open()
        #expect(try await store.adopt(other, now: now) == nil)
        #expect(!fixture.exists(other.directory))
    }

    @Test
    func `files that a crash leaves after an adoption are removed, not adopted again`()
        async throws
    {
        try await fill(other)
        let copy = fixture.directory.path + "/copy"
        try FileManager.default.copyItem(atPath: other.directory, toPath: copy)
        let store = try fixture.open()
        #expect(try await store.adopt(other, now: now) != nil)
        _ = try await store.removePending(.all, of: app)
        try FileManager.default.copyItem(atPath: copy, toPath: other.directory)
        #expect(try await store.adopt(other, now: now) != nil)
        #expect(try await store.identifiers().isEmpty)
        #expect(try await store.responses(of: app).count == 1)
        #expect(!fixture.exists(other.directory))
    }

    @Test
    func `a request added since the start is kept if the other store has the same identifier`()
        async throws
    {
        try await fill(other)
        let store = try fixture.open()
        try await store.add(.sample("waits", .interval(seconds: 60, repeats: false), title: "mine"))
        #expect(try await store.adopt(other, now: now) != nil)
        #expect(
            try await store.pending(of: app, now: now).map(\.request.content.title) == ["mine"])
        try await store.sweepAttachments()
        #expect(try files(fixture.layout).isEmpty)
    }

    /// While the installed daemon did not run, a development daemon may have stored the newer
    /// request.
    @Test(arguments: [true, false])
    func `if both stores have the same identifier, the store that was written last wins`(
        isOtherNewer: Bool
    ) async throws {
        func fill(_ layout: StoreLayout, _ title: String, popup: UInt32) async throws {
            let store = try fixture.open(layout: layout)
            try await store.add(.sample("shown", title: title))
            try await store.deliver(.delivered(PresentedPopup(id: popup, server: "server")))
            try await store.add(
                .sample("waits", .interval(seconds: 60, repeats: false), title: title))
            store.close()
        }
        try await fill(fixture.layout, "here", popup: 1)
        try await fill(other, "there", popup: 2)
        let date = Date.now
        for (layout, age) in [(fixture.layout, 60.0), (other, isOtherNewer ? 0 : 120)] {
            for path in [layout.database, layout.log] where fixture.exists(path) {
                try FileManager.default.setAttributes(
                    [.modificationDate: date.addingTimeInterval(-age)], ofItemAtPath: path)
            }
        }
        let store = try fixture.open()
        // A request added since the start is newer than every request in both stores.
        try await store.add(
            .sample("late", .interval(seconds: 90, repeats: false), title: "here"))
        let replaced = try #require(try await store.adopt(other, now: now))
        let title = isOtherNewer ? "there" : "here"
        let pending = try await store.pending(of: app, now: now)
        #expect(pending.map(\.request.content.title) == [title, "here"])
        #expect(try await store.delivered(of: app).map(\.request.content.title) == [title])
        #expect(replaced.keys == (isOtherNewer ? [.sample("shown")] : []))
        let popup = PresentedPopup(id: isOtherNewer ? 2 : 1, server: "server")
        #expect(try await store.popups() == [.sample("shown"): popup])
        #expect(try await store.counts().0 == 2)
    }

    /// The damage must not count as damage of the store that takes over.
    @Test(
        arguments: [
            ("UPDATE meta SET key = 'uuie' WHERE key = 'uuid'", ""),
            ("INSERT INTO meta VALUES ('large', hex(zeroblob(3000000)))", "category"),
        ])
    func `a damaged store is repaired before it is taken over`(
        change: String, damagedTable: String
    ) async throws {
        try await fill(other)
        let database = try DatabaseQueue(path: other.database)
        let root = try await database.write { database in
            try database.execute(sql: change)
            let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
            return try Int.fetchOne(database, sql: sql, arguments: [damagedTable])
        }
        try database.close()
        let file = URL(fileURLWithPath: other.database)
        var bytes = try Data(contentsOf: file)
        let page = Data(count: 4_096)
        if let root { bytes.replaceSubrange((root - 1) * 4_096..<root * 4_096, with: page) }
        try bytes.write(to: file)
        let store = try fixture.open()
        #expect(try await store.adopt(other, now: now) != nil)
        try await store.add(.after(60, "later"))
        #expect(try await Set(store.identifiers()) == ["waits", "later"])
        #expect(try await store.records().count { $0.contains("the store was damaged") } == 1)
    }

    /// A daemon must not take over the rows without their files, and then remove the store.
    @Test func `attachments that cannot be listed are an error, and a missing folder is not`()
        async throws
    {
        try await fill(other)
        let files = FileManager.default
        let kept = other.directory + "/kept"
        try files.moveItem(atPath: other.attachments, toPath: kept)
        // The test makes a file in place of the directory, because root can list every directory.
        #expect(files.createFile(atPath: other.attachments, contents: Data()))
        let adoption = StoreAdoption(source: other, attachments: fixture.layout.attachments)
        let error = #expect(throws: NotificationError.self) { try adoption.linkFiles() }
        #expect(error?.message.contains(other.attachments) == true, "\(error?.message ?? "")")
        try files.removeItem(atPath: other.attachments)
        #expect(throws: Never.self) { try adoption.linkFiles() }
        #expect(fixture.exists(other.database))
    }

    @Test
    func `a store that another process has open is not taken over`() async throws {
        try await fill(other)
        let owner = try fixture.open(layout: other)
        let store = try fixture.open()
        let error = await #expect(throws: NotificationError.self) {
            _ = try await store.adopt(other, now: now)
        }
        #expect(error?.code == .storeLocked)
        #expect(try await owner.identifiers() == ["waits"])
        #expect(try await store.identifiers().isEmpty)
    }

    @Test
    func `an adopted interval from another boot counts by the wall clock`() async throws {
        try await fill(other, bootID: "boot before")
        let store = try fixture.open()
        #expect(try await store.adopt(other, now: now) != nil)
        let later = ClockReading.sample(
            wall: ManualClock.start.adding(microseconds: 61_000_000), boot: 5_000_000)
        #expect(try await store.deliver(now: later) == ["waits"])
    }

    @Test
    func `a delivery that the other process did not finish is repeated`() async throws {
        let dying = try fixture.open(layout: other)
        try await dying.add(.after(0.001, "a"))
        let claimed = try await dying.claim(
            limit: 64, excluding: [], now: .sample(boot: now.boot + 2_000))
        #expect(claimed.count == 1)
        dying.close()
        let store = try fixture.open()
        #expect(try await store.adopt(other, now: now) != nil)
        #expect(try await store.deliver(now: .sample(boot: now.boot + 2_000)) == ["a"])
    }

    @Test
    func `a store whose files cannot be taken over keeps its rows`() async throws {
        try await fill(other)
        let store = try fixture.open()
        // The store's own attachments path is a file, so no directory can receive the links.
        try FileManager.default.removeItem(atPath: fixture.layout.attachments)
        try Data().write(to: URL(fileURLWithPath: fixture.layout.attachments))
        await #expect(throws: NotificationError.self) {
            _ = try await store.adopt(other, now: now)
        }
        #expect(try await store.identifiers().isEmpty)
        let owner = try fixture.open(layout: other)
        #expect(try await owner.identifiers() == ["waits"])
    }

    // MARK: - Crashes

    /// A kill may come after the take-over is recorded, but before the other store is removed.
    ///
    /// The other store's owner must then make a new store, because no process reads the old one.
    @Test func `a crash at any step of a take-over loses no request and restores no removed one`()
        async throws
    {
        try await fill(other)
        let steps = Recording<String>()
        let root = fixture.directory.path
        let layout = fixture.layout
        let target = try CenterStore(
            layout: layout, bootID: "first-boot", rules: .engine(.sample),
            step: { [other] step in
                steps.append(step.rawValue)
                let copy = "\(root)/\(steps.all.count)"
                try? FileManager.default.createDirectory(
                    atPath: copy, withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700])
                try? FileManager.default.copyItem(atPath: layout.directory, toPath: copy + "/main")
                try? FileManager.default.copyItem(atPath: other.directory, toPath: copy + "/dev")
            }, onSchedule: { _ in })
        let before = steps.all.count
        #expect(try await target.adopt(other, now: now) != nil)
        target.close()
        let count = steps.all.count
        #expect(count - before >= 10)
        for step in before + 1...count {
            try await continueAfterCrash("\(root)/\(step)", step: steps.all[step - 1])
        }
        print("\(count - before) crash points of a take-over")
    }

    /// Starts the owner on the files of a crash, and then repeats the take-over.
    ///
    /// The owner removes one request and adds another.
    private func continueAfterCrash(_ root: String, step: String) async throws {
        let main = StoreLayout(directory: root + "/main")
        let dev = StoreLayout(directory: root + "/dev")
        // The copied store records the path of the adopting store, but the copy has another path.
        try retarget(dev, to: main)
        let owner = try fixture.open(layout: dev)
        let hadIt = try await owner.identifiers().contains("waits")
        _ = try await owner.removePending(.identifiers(["waits"]), of: app)
        try await owner.add(.after(60, "late"))
        owner.close()
        let store = try fixture.open(layout: main)
        #expect(try await store.adopt(dev, now: now) != nil, "\(step) in \(root)")
        let pending = try await store.identifiers().sorted()
        #expect(pending == (hadIt ? ["late"] : ["late", "waits"]), "\(step) in \(root)")
        #expect(!fixture.exists(dev.directory))
        store.close()
    }

    /// The store has already followed the change of the user's zone when it adopts the request.
    @Test func `an adopted request fires at its time in the user's new zone`() async throws {
        let berlin = ClockReading.sample(zone: "Europe/Berlin")
        let newYork = ClockReading.sample(zone: "America/New_York")
        let former = try fixture.open(layout: other)
        try await former.followTimeZone(now: berlin)
        try await former.add(.sample("nine", .daily(at: 9)), now: berlin)
        former.close()
        let store = try fixture.open()
        try await store.followTimeZone(now: newYork)
        #expect(try await store.adopt(other, now: newYork) != nil)
        let nine = try instant("2026-11-21 14:00:00")
        #expect(try await store.pending(of: app, now: newYork).map(\.nextFire) == [nine])
    }

    private func retarget(_ dev: StoreLayout, to main: StoreLayout) throws {
        guard fixture.exists(dev.database) else { return }
        let database = try DatabaseQueue(path: dev.database)
        try database.writeWithoutTransaction { database in
            try database.execute(
                sql: "UPDATE meta SET value = ? WHERE key = 'taken over into'",
                arguments: [main.database])
        }
        try database.close()
    }
}
