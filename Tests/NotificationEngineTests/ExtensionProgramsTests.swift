import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import Synchronization
import TestSupport
import Testing

@Suite("A service extension's program, as the engine runs it", .timeLimit(.minutes(2)))
struct ExtensionProgramsTests {
    /// Extension programs whose answers the test gives.
    private final class ScriptedPrograms: ExtensionPrograms {
        enum Report: Hashable, Sendable {
            case extend(String, ExtensionToken)
            case expire(ExtensionToken)
            case end(ExtensionToken)
        }

        let reports = Recording<Report>()
        private let waiting = Mutex<
            [ExtensionToken: CheckedContinuation<
                Result<ExtendedContent?, NotificationError>, Never
            >]
        >([:])

        func extend(
            _ request: NotificationRequest, of app: ApplicationID, as token: ExtensionToken
        ) async throws(NotificationError) -> ExtendedContent? {
            try await withCheckedContinuation { continuation in
                waiting.withLock { $0[token] = continuation }
                reports.append(.extend(request.identifier, token))
            }.get()
        }

        func expire(_ token: ExtensionToken) async { reports.append(.expire(token)) }

        func endProgram(_ token: ExtensionToken) async {
            reports.append(.end(token))
            answer(token, .failure(NotificationError(.protocolViolation, "It was killed.")))
        }

        func answer(
            _ token: ExtensionToken, _ result: Result<ExtendedContent?, NotificationError>
        ) {
            waiting.withLock { $0.removeValue(forKey: token) }?.resume(returning: result)
        }
    }

    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    private let programs = ScriptedPrograms()
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private func start(limits: StoreLimits = StoreLimits()) async throws -> CenterEngine {
        var configuration = EngineConfiguration(
            layout: fixture.layout, hosting: "embedded", version: "1.0", zones: .sample)
        configuration.extensions = programs
        configuration.limits = limits
        return try await CenterEngine.start(
            configuration, presenter: presenter, clock: fixture.clock, reactor: fixture.reactor)
    }

    private func push(
        _ title: String, to engine: CenterEngine
    ) async throws {
        let payload = #"{"aps":{"alert":{"title":"\#(title)"},"mutable-content":1}}"#
        _ = try await engine.push(
            Array(payload.utf8), collapseIdentifier: title, for: app)
    }

    private func token(_ count: Int) async throws -> ExtensionToken {
        let reports = try await programs.reports.wait(for: "program \(count)") {
            $0.count { if case .extend = $0 { true } else { false } } >= count
        }
        let tokens = reports.compactMap { report -> ExtensionToken? in
            if case .extend(_, let token) = report { token } else { nil }
        }
        return tokens[count - 1]
    }

    @Test
    func `the extension's content is shown and stored`() async throws {
        let engine = try await start()
        try await push("a", to: engine)
        let token = try await token(1)
        presenter.answers { _ in .hold }
        programs.answer(token, .success(ExtendedContent(content: .init(title: "changed"))))
        let shown = try await presenter.presentations.first(1)
        #expect(shown.map(\.notification.request.content.title) == ["changed"])
        // The store has the new text, so after a crash the original text does not return.
        let pending = try await engine.pending(of: app)
        #expect(pending.map(\.request.content.title) == ["changed"])
        let rows = try await engine.store.pending(of: app, now: fixture.clock.now())
        #expect(rows.map(\.request.trigger) == [.push])
        presenter.answer(shown[0])
        try await engine.rest()
        let delivered = try await engine.delivered(of: app)
        #expect(delivered.map(\.request.content.title) == ["changed"])
    }

    /// If an extension's files counted against no limit, an app could fill the disk with them.
    @Test func `if an extension's files exceed the app's limit, the original content is shown`()
        async throws
    {
        var limits = StoreLimits()
        limits.bytes = 40_000
        let engine = try await start(limits: limits)
        let path = try fixture.directory.write(
            TestPNG.bytes + [UInt8](repeating: 0, count: 30_000), to: "a.png")
        var content = NotificationContent(title: "changed")
        content.attachments = [
            NotificationAttachment(identifier: "i", path: path, type: "public.png")
        ]
        for (count, title) in [(1, "a"), (2, "b")] {
            try await push(title, to: engine)
            let extended = ExtendedContent(
                content: content, attachments: [try OpenFile(path: path)])
            programs.answer(try await token(count), .success(extended))
            try await presenter.presentations.first(count)
        }
        #expect(presenter.titles == ["changed", "b"])
        let files = try FileManager.default.contentsOfDirectory(atPath: fixture.layout.attachments)
        #expect(files.count == 1)
        await engine.stop()
    }

    @Test
    func `if the extension fails or is missing, the original content is shown`() async throws {
        let engine = try await start()
        try await push("a", to: engine)
        programs.answer(try await token(1), .failure(NotificationError(.noSpace, "No.")))
        try await push("b", to: engine)
        programs.answer(try await token(2), .success(nil))
        try await presenter.presentations.first(2)
        #expect(presenter.titles == ["a", "b"])
    }

    @Test
    func `after 30 seconds the extension gets a warning, and may still answer`() async throws {
        let engine = try await start()
        try await push("a", to: engine)
        let token = try await token(1)
        fixture.clock.advance(by: .seconds(29))
        try await engine.performAlarmEffects()
        #expect(!programs.reports.all.contains(.expire(token)))
        fixture.clock.advance(by: .seconds(1))
        try await programs.reports.first("the expiry") { $0 == .expire(token) }
        programs.answer(token, .success(ExtendedContent(content: .init(title: "attempt"))))
        try await presenter.presentations.first(1)
        #expect(presenter.titles == ["attempt"])
        try await engine.rest()
        #expect(!programs.reports.all.contains(.end(token)))
    }

    @Test
    func `two seconds after the warning the extension is ended, and the push is shown once`()
        async throws
    {
        let engine = try await start()
        try await push("a", to: engine)
        let token = try await token(1)
        fixture.clock.advance(by: .seconds(30))
        try await programs.reports.first("the expiry") { $0 == .expire(token) }
        fixture.clock.advance(by: .seconds(2))
        try await programs.reports.first("the end") { $0 == .end(token) }
        try await presenter.presentations.first(1)
        try await engine.rest()
        #expect(presenter.titles == ["a"])
    }

    @Test
    func `while the program works, other requests are shown, and the push can be removed`()
        async throws
    {
        let engine = try await start()
        try await push("slow", to: engine)
        let token = try await token(1)
        try await engine.add(.sample("local"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        #expect(presenter.titles == ["local"])
        try await engine.removePending(.identifiers(["slow"]), of: app)
        try await programs.reports.first("the end") { $0 == .end(token) }
        try await engine.rest()
        #expect(presenter.titles == ["local"])
        #expect(try await engine.pending(of: app).isEmpty)
    }
}

extension CenterEngine {
    /// Lets the engine perform the effects of an alarm; does not wait for deliveries.
    fileprivate func performAlarmEffects() async throws {
        for _ in 0..<3 {
            _ = try await status()
            await Task.yield()
        }
    }
}
