import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("From a click to the start of the app", .timeLimit(.minutes(2)))
struct EngineLaunchTests {
    let fixture: EngineFixture
    let launcher = RecordingLauncher()
    let app = ApplicationID.tocsin

    init() throws {
        fixture = try EngineFixture()
    }

    private func start(
        layout: StoreLayout? = nil, step: @escaping @Sendable (EngineStep) -> Void = { _ in }
    ) async throws -> CenterEngine {
        var configuration = EngineConfiguration(
            layout: layout ?? fixture.layout, hosting: "daemon", version: "1", zones: .sample)
        configuration.launcher = launcher
        configuration.step = step
        return try await CenterEngine.start(
            configuration, presenter: fixture.presenter, clock: fixture.clock,
            reactor: fixture.reactor)
    }

    /// The identity of the app, with its launch command.
    private var identity: ApplicationIdentity {
        var identity = ApplicationIdentity.sample()
        identity.executable = "/opt/app"
        identity.arguments = ["--quiet", ""]
        identity.directory = "/tmp"
        return identity
    }

    private func connect(_ engine: CenterEngine) async throws -> Recording<NotificationResponse> {
        let responses = Recording<NotificationResponse>()
        _ = try await engine.connect(identity, asksBeforePresenting: false) { event in
            if case .response(let response) = event { responses.append(response) }
        }
        return responses
    }

    /// Shows a notification of the app, and then disconnects the app.
    private func deliver(_ name: String, by engine: CenterEngine) async throws {
        let session = try await engine.connect(identity, asksBeforePresenting: false) { _ in }
        let count = fixture.presenter.presentations.all.count
        try await engine.add(.sample(name), attachments: [], for: app)
        try await fixture.presenter.presentations.first(count + 1)
        await engine.disconnect(session)
        try await engine.rest()
    }

    private func launches(_ engine: CenterEngine) async throws -> Int {
        try await engine.store.wantedLaunches().count
    }

    @Test
    func `a click starts the app with its launch details, and the app gets the response once`()
        async throws
    {
        let engine = try await start()
        try await deliver("a", by: engine)
        fixture.presenter.respond(.sample("a"), activationToken: "token")
        let orders = try await launcher.requests.first(1)
        #expect(orders[0].activationToken == "token")
        #expect(orders[0].mode == .foreground)
        #expect(
            orders[0].command
                == LaunchCommand(
                    executable: "/opt/app", arguments: ["--quiet", ""], directory: "/tmp"))
        let heard = try await connect(engine)
        let response = try await heard.first(1)[0]
        #expect(response == orders[0].response)
        try await engine.acknowledge(response.id, of: app)
        try await engine.rest()
        #expect(try await launches(engine) == 0)
        #expect(launcher.requests.all.count == 1)
        #expect(heard.all.count == 1)
    }

    @Test
    func `the settings button starts an app that has quit, and asks the app to open its settings`()
        async throws
    {
        let engine = try await start()
        try await deliver("a", by: engine)
        fixture.presenter.emit(.openSettings(.sample("a"), activationToken: "token"))
        let request = try await launcher.requests.first(1)[0]
        #expect(request.response == nil && request.activationToken == "token")
        #expect(request.mode == .foreground && request.command?.executable == "/opt/app")
        let events = Recording<ServiceEvent>()
        _ = try await engine.connect(identity, asksBeforePresenting: false) { events.append($0) }
        #expect(try await events.first(1) == [.openSettings(request.notification)])
        #expect(request.notification.request.identifier == "a")
        #expect(try await engine.status().responseCount == 0)
        #expect(try await engine.delivered(of: app).count == 1)
        await engine.stop()
    }

    @Test
    func `an app's launch details are kept over a restart and used for a later click`() async throws
    {
        let first = try await start()
        try await deliver("a", by: first)
        await first.stop()
        let second = try await start()
        fixture.presenter.respond(.sample("a"))
        #expect(try await launcher.requests.first(1)[0].command?.executable == "/opt/app")
        await second.stop()
    }

    @Test
    func `if an app cannot be started, its response is kept and the start is not tried again`()
        async throws
    {
        for answer in [RecordingLauncher.Answer.failure("no such file"), .impossible] {
            launcher.answers(answer)
            let engine = try await start()
            let before = launcher.requests.all.count
            try await deliver("a", by: engine)
            let kept = try await engine.status().responseCount
            fixture.presenter.respond(.sample("a"))
            try await launcher.requests.first(before + 1)
            try await engine.rest()
            #expect(try await engine.status().responseCount == kept + 1)
            #expect(try await launches(engine) == 0)
            await engine.stop()
        }
        let engine = try await start()
        fixture.clock.advance(by: .seconds(60))
        try await engine.rest()
        #expect(launcher.requests.all.count == 2)
        await engine.stop()
    }

    @Test
    func `a dismissal is stored for the next start of its app, and starts no app`() async throws {
        let engine = try await start()
        try await engine.setCategories(
            [NotificationCategory(identifier: "c", options: .customDismissAction)], of: app)
        try await engine.add(.sample("a", category: "c"), attachments: [], for: app)
        try await fixture.presenter.presentations.first(1)
        try await engine.rest()
        fixture.presenter.emit(.dismissed(.sample("a")))
        try await engine.rest()
        #expect(try await engine.status().responseCount == 1)
        #expect(try await launches(engine) == 0)
        #expect(launcher.requests.all.isEmpty)
        await engine.stop()
    }

    /// A process that dies at a step leaves the files of that step.
    @Test(arguments: [EngineStep.launching, .launched])
    func `a crash between click and start loses no click, and a starting app is not started again`(
        at crash: EngineStep
    ) async throws {
        let copy = StoreLayout(directory: fixture.directory.path + "/copy")
        let layout = fixture.layout
        let first = try await start { step in
            if step == crash { Self.copyStore(of: layout, to: copy) }
        }
        try await deliver("a", by: first)
        fixture.presenter.respond(.sample("a"))
        try await launcher.requests.first(1)
        try await first.rest()
        await first.stop()

        let second = try await start(layout: copy)
        #expect(try await second.status().responseCount == 1)
        fixture.clock.advance(by: .seconds(3))
        try await second.rest()
        // The files of `launching` are from before the app's start, so this engine starts the app.
        // The files of `launched` say that the app is already starting.
        #expect(launcher.requests.all.count == (crash == .launching ? 2 : 1))
        let heard = try await connect(second)
        let response = try await heard.first(1)[0]
        try await second.acknowledge(response.id, of: app)
        fixture.clock.advance(by: .seconds(60))
        try await second.rest()
        #expect(heard.all.count == 1)
        #expect(launcher.requests.all.count == (crash == .launching ? 2 : 1))
        #expect(try await second.status().responseCount == 0)
        #expect(try await launches(second) == 0)
        await second.stop()
    }

    @Test
    func `an app that never connects is started three times in all, even across crashes`()
        async throws
    {
        let first = try await start()
        try await deliver("a", by: first)
        launcher.answers(.hold)
        fixture.presenter.respond(.sample("a"))
        try await launcher.requests.first(1)
        var layout = fixture.layout
        for round in 1...3 {
            let copy = StoreLayout(directory: fixture.directory.path + "/copy\(round)")
            Self.copyStore(of: layout, to: copy)
            layout = copy
            let next = try await start(layout: copy)
            fixture.clock.advance(by: .seconds(16))
            if round < 3 { try await launcher.requests.first(round + 1) }
            try await next.rest()
        }
        #expect(launcher.requests.all.count == 3)
    }

    private static func copyStore(of layout: StoreLayout, to copy: StoreLayout) {
        let files = FileManager.default
        try? files.createDirectory(
            atPath: copy.directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for file in ["center.sqlite", "center.sqlite-wal"] {
            try? files.copyItem(
                atPath: "\(layout.directory)/\(file)", toPath: "\(copy.directory)/\(file)")
        }
    }
}
