import NotificationEngine
import NotificationModel
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
    func `the last one is shown although the app is asked about each`(yields: Int) async throws {
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
}
