import Dispatch
import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

@Suite("Requests that replace one another at once", .timeLimit(.minutes(2)))
struct ReplacementTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin

    init() throws {
        fixture = try EngineFixture()
    }

    @Test(arguments: [0, 1, 5])
    func `the last of many requests is shown although the app is asked about each request`(
        yields: Int
    ) async throws {
        let engine = try await fixture.start()
        _ = try await engine.connect(.sample(), asksBeforePresenting: true) { event in
            guard case .willPresent(let token, _) = event else { return }
            Task { await engine.answer(token, with: .all) }
        }
        for number in 1...20 {
            try await engine.add(
                .sample("a", title: "\(number)"), attachments: [], for: app)
            for _ in 0..<yields { await Task.yield() }
        }
        try await engine.rest()
        #expect(fixture.presenter.titles.last == "20")
        let delivered = try await engine.delivered(of: app)
        #expect(delivered.map(\.request.content.title) == ["20"])
        #expect(try await engine.pending(of: app).isEmpty)
    }

    /// When the removal reaches the store, another notification may have the identifier.
    @Test func `the removal of a notification during its post does not remove the replacement`()
        async throws
    {
        let presenter = fixture.presenter
        let (steps, isBusy) = (Recording<EngineStep>(), Recording<Void>())
        let disk = DispatchSemaphore(value: 0)
        let watched = Locked<CenterEngine?>(nil)
        let engine = try await fixture.start { step in
            steps.append(step)
            guard step == .committed, let engine = watched.withLock(\.self) else { return }
            watched.withLock { $0 = nil }
            // The disk is busy before the removal reaches the store.
            let isSubmitted = DispatchSemaphore(value: 0)
            engine.onReactor { engine in
                _ = Task.immediate {
                    try await engine.store.change("changed", isolation: engine) { _ in
                        isBusy.append(())
                        disk.wait()
                    }
                }
                isSubmitted.signal()
            }
            isSubmitted.wait()
        }
        // Let the start's own commits pass: the test acts at the commit of the former notification.
        await engine.untilAtRest()
        presenter.answers { _ in .hold }
        try await engine.add(.sample("a", title: "former"), attachments: [], for: app)
        let former = try await presenter.presentations.first(1)[0]
        try await engine.removeDelivered(.identifiers(["a"]), of: app)
        fixture.clock.advance(by: .seconds(1))
        try await engine.add(.sample("a", title: "latter"), attachments: [], for: app)
        watched.withLock { $0 = engine }
        presenter.answer(former)
        let latter = try await presenter.presentations.first(2)[1]
        try await isBusy.first(1)
        // The first call returns after the engine has begun the removal. The second call returns
        // when the removal waits for the disk.
        for _ in 0..<2 { _ = await engine.appCount }
        presenter.answer(latter)
        try await steps.wait(for: "both settlements") { $0.count { $0 == .settling } == 2 }
        _ = await engine.appCount
        disk.signal()
        try await engine.rest()
        #expect(try await engine.delivered(of: app).map(\.request.content.title) == ["latter"])
        #expect(presenter.withdrawn.all.isEmpty)
    }
}
