import Dispatch
import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

@Suite("Calls of the service", .timeLimit(.minutes(2)))
struct EngineCallsTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin

    init() throws {
        fixture = try EngineFixture(presenter: RecordingPresenter(isAvailable: false))
    }

    /// A clock without a timer.
    private struct BrokenClock: EngineClock {
        func now() -> ClockReading { .sample() }

        func start(
            _ listener: @escaping @Sendable (ClockEvent) -> Void
        ) throws(NotificationError) {
            throw NotificationError(.storeUnavailable, "no timer")
        }

        func arm(_ alarms: ClockAlarms) {}
    }

    @Test
    func `an engine that cannot start closes the store`() async throws {
        let error = await #expect(throws: NotificationError.self) {
            try await CenterEngine.start(
                EngineConfiguration(
                    layout: fixture.layout, hosting: "embedded", version: "1", zones: .sample),
                presenter: fixture.presenter, clock: BrokenClock(), reactor: fixture.reactor)
        }
        #expect(error?.message == "no timer")
        // The file `openMark` stays if the store is released without being closed.
        #expect(!FileManager.default.fileExists(atPath: fixture.layout.openMark))
        let engine = try await fixture.start()
        #expect(try await engine.status().pendingCount == 0)
        await engine.stop()
    }

    func image(_ name: String = "a.png") throws -> (NotificationAttachment, OpenFile) {
        let path = try fixture.directory.write(TestPNG.bytes, to: name)
        return (
            NotificationAttachment(identifier: name, path: path, type: "public.png"),
            try OpenFile(path: path)
        )
    }

    @Test
    func `concurrent calls take effect in order, with or without attachments`() async throws {
        let engine = try await fixture.start()
        let (attachment, file) = try image()
        var illustrated = NotificationRequest.after(60, "a")
        illustrated.content.attachments = Array(repeating: attachment, count: 16)
        let request = illustrated
        let files = Array(repeating: file, count: 16)
        for round in 0..<20 {
            // Each task starts immediately, as the calls of the library do.
            let add = Task.immediateDetached {
                try await engine.add(request, attachments: files, for: .tocsin)
            }
            let replace = Task.immediateDetached {
                try await engine.add(
                    .sample("a", .interval(seconds: 60, repeats: false), title: "second"),
                    attachments: [], for: .tocsin)
            }
            let list = Task.immediateDetached { try await engine.pending(of: .tocsin) }
            let remove = Task.immediateDetached {
                try await engine.removePending(.all, of: .tocsin)
            }
            try await add.value
            try await replace.value
            #expect(try await list.value.map(\.request.content.title) == ["second"], "\(round)")
            try await remove.value
            #expect(try await engine.pending(of: app).isEmpty, "round \(round)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.layout.attachments)
        #expect(left.isEmpty)
    }

    @Test
    func `a request whose attachment comes without a file is refused and delays no other request`()
        async throws
    {
        let engine = try await fixture.start()
        var request = NotificationRequest.after(60, "a")
        request.content.attachments = [try image().0]
        let refused = request
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(refused, attachments: [], for: .tocsin)
        }
        #expect(error?.code == .attachmentInvalid)
        try await engine.add(.after(60, "b"), attachments: [], for: app)
        #expect(try await engine.pending(of: app).map(\.request.identifier) == ["b"])
    }

    @Test(arguments: ["limit", "size"])
    func `a refused request leaves no file behind`(reason: String) async throws {
        var limits = StoreLimits()
        if reason == "limit" { limits.pending = 0 }
        let engine = try await fixture.start(limits: limits)
        let (attachment, file) = try image()
        var request = NotificationRequest.after(60, "a")
        request.content.attachments = [attachment]
        if reason == "size" {
            let blob = [UInt8](repeating: 200, count: Limits.payload.most)
            request.content.userInfo = ["blob": .data(blob)]
        }
        let refused = request
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(refused, attachments: [file], for: .tocsin)
        }
        #expect(error?.code == (reason == "limit" ? .limitReached : .invalidArgument))
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.layout.attachments)
        #expect(left.isEmpty)
    }

    @Test
    func `if no server runs, an add that requires a server fails, and the earlier request stays`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.add(.after(60, "a"), attachments: [], for: app)
        var request = NotificationRequest.sample("a", nil, title: "now")
        request.content.desktop = DesktopOptions()
        request.content.desktop?.requiresServer = true
        let refused = request
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(refused, attachments: [], for: .tocsin)
        }
        #expect(error?.code == .noServer)
        #expect(try await engine.pending(of: app).map(\.request.content.title) != ["now"])
        #expect(try await engine.pending(of: app).count == 1)
    }

    /// The engine must not treat a server that hangs at its start as running.
    @Test
    func `an add that requires a server is refused until a server has reported its abilities`()
        async throws
    {
        // Keep the fixture until the end, because its release removes the folder.
        let other = try EngineFixture()
        defer { withExtendedLifetime(other) {} }
        let engine = try await other.start()
        var request = NotificationRequest.sample("a")
        request.content.desktop = DesktopOptions()
        request.content.desktop?.requiresServer = true
        let wanted = request
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(wanted, attachments: [], for: .tocsin)
        }
        #expect(error?.code == .noServer)
        #expect(try await engine.pending(of: .tocsin).isEmpty)
        other.presenter.emit(.serverIdentified(isPersistent: false))
        try await engine.rest()
        try await engine.add(wanted, attachments: [], for: .tocsin)
        try await engine.rest()
        #expect(other.presenter.presentations.all.count == 1)
    }

    @Test
    func `a request with a past date only removes its predecessor, an impossible date is refused`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.add(.after(60, "a"), attachments: [], for: app)
        var components = CalendarComponents()
        components.year = 2020
        try await engine.add(
            .sample("a", .calendar(components, repeats: false)), attachments: [], for: app)
        #expect(try await engine.pending(of: app).isEmpty)
        components.month = 2
        components.day = 30
        let refused = components
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(
                .sample("b", .calendar(refused, repeats: false)), attachments: [], for: .tocsin)
        }
        #expect(error?.code == .noDate)
    }

    @Test
    func `categories are replaced as a set and kept over a restart`() async throws {
        let engine = try await fixture.start()
        let action = NotificationAction(identifier: "x", title: "X", options: .destructive)
        let first = NotificationCategory(identifier: "c", actions: [action])
        try await engine.setCategories([first, NotificationCategory(identifier: "d")], of: app)
        try await engine.setCategories([first], of: app)
        #expect(try await engine.categories(of: app) == [first])
        await engine.stop()
        let presenter = RecordingPresenter()
        let next = try await fixture.start(presenter: presenter)
        #expect(try await next.categories(of: app) == [first])
        try await next.add(.sample("a", category: "c"), attachments: [], for: app)
        #expect(try await presenter.presentations.first(1).first?.category == first)
    }

    /// The engine reads the values of all apps in one commit, for example when it takes a store
    /// over.
    ///
    /// Between several reads a value could change, and an older value would overwrite it in memory.
    @Test(arguments: 1...8)
    func `a change while the stored values are read is not lost`(commit: Int) async throws {
        let (app, former) = (app, NotificationCategory(identifier: "former"))
        let watched = Locked<CenterEngine?>(nil)
        let commits = Locked(0)
        let change = Locked<Task<Void, any Error>?>(nil)
        let engine = try await fixture.start { step in
            guard step == .committed, let engine = watched.withLock(\.self) else { return }
            let count = commits.withLock { count in
                count += 1
                return count
            }
            guard count == commit else { return }
            // The change reaches the store before the next read does.
            let isSubmitted = DispatchSemaphore(value: 0)
            engine.onReactor { engine in
                let task = Task.immediate {
                    try await engine.setCategories(
                        [NotificationCategory(identifier: "latter")], of: app)
                }
                change.withLock { $0 = task }
                isSubmitted.signal()
            }
            isSubmitted.wait()
        }
        try await engine.setCategories([former], of: app)
        await engine.untilAtRest()
        watched.withLock { $0 = engine }
        try await engine.reloadTables()
        watched.withLock { $0 = nil }
        let begun = change.withLock(\.self)
        // The engine reads in one commit; the later commits would happen only with several reads.
        #expect(begun != nil || commit > 1)
        try await begun?.value
        let stored = try await engine.categories(of: app).map(\.identifier)
        #expect(await engine.knownCategories(of: app) == Set(stored))
    }

    @Test
    func `the status has the number of stored requests`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.after(60, "a"), attachments: [], for: app)
        let status = try await engine.status()
        #expect(status.pendingCount == 1 && status.deliveredCount == 0)
        #expect(status.nextFire == ManualClock.start.adding(microseconds: 60_000_000))
        #expect(status.hosting == "embedded" && status.version == "1.0")
        #expect(!status.presenter.isAvailable)
        #expect(status.store == fixture.layout.database)
    }
}
