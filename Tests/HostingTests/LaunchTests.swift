import Foundation
import HostingSupport
import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import TestSupport
import Testing

/// A click starts an app that has quit, and the app gets its response once.
@Suite(.timeLimit(.minutes(5))) struct LaunchTests {
    @Test(arguments: [
        ("default", "com.apple.UNNotificationDefaultActionIdentifier"), ("return", "open"),
    ])
    func `a click starts an app that has quit`(button: String, action: String) async throws {
        try await LaunchStage.run { stage in
            let post = try await stage.schedule()
            try await stage.server.click(post.id, post.key(button))
            try await stage.report("the response") { $0.contains("acknowledged") }
            #expect(
                stage.lines.all == [
                    "start token - words  for probe", "response \(action) cup 7", "acknowledged",
                ])
            #expect(try await stage.center().service.status().responseCount == 0)
        }
    }

    /// A click on the notification of `deploy prod` must not run the command again.
    @Test func `a response for a program with arguments waits until the user starts the program`()
        async throws
    {
        try await LaunchStage.run { stage in
            let post = try await stage.schedule(["deploy"])
            try await stage.server.click(post.id, "default")
            let center = try await stage.center()
            try await center.settled { _, delivered in delivered.isEmpty }
            // The daemon handles events in order: it would have started the app before this answer.
            #expect(try await center.service.status().responseCount == 1)
            #expect(stage.lines.all.isEmpty)
            let probe = try stage.start(["status"])
            _ = try await probe.exit()
            try await stage.report("the response") { $0.contains("acknowledged") }
            #expect(stage.lines.all.first == "start token - words <status> for -")
        }
    }

    @Test func `a dismissal and a background action start no app`() async throws {
        try await LaunchStage.run { stage in
            let center = try await stage.center()
            var lines: [String] = []
            for action in ["archive", "com.apple.UNNotificationDismissActionIdentifier"] {
                let post = try await stage.schedule()
                if action == "archive" {
                    try await stage.server.click(post.id, post.key(action))
                } else {
                    try await stage.server.close(post.id, reason: 2)
                }
                try await center.settled { _, delivered in delivered.isEmpty }
                #expect(try await center.service.status().responseCount == 1)
                #expect(stage.lines.all == lines)
                // The app ends after one response, which it gets when the user starts it.
                let probe = try stage.start()
                #expect(try await probe.exit() == 0)
                lines += ["start token - words  for -", "response \(action) cup 7", "acknowledged"]
                #expect(try await stage.lines.first(lines.count) == lines)
            }
        }
    }

    @Test
    func `a click starts an app by its desktop file, not by the program that the app reported`()
        async throws
    {
        try await LaunchStage.run { stage in
            let probe = try HostedService.program("LaunchProbe")
            try stage.installEntry(
                "org.tocsin.Test",
                """
                [Desktop Entry]
                Type=Application
                Name=Test App
                Exec=env TOCSIN_APP_ID=org.tocsin.Test "\(probe)" report marker "by its entry" %U
                Path=\(stage.bus.directory)
                """)
            let post = try await stage.schedule()
            try await stage.server.click(post.id, "default")
            try await stage.report("the response") { $0.contains("acknowledged") }
            #expect(stage.lines.all.first == "start token - words <by its entry> for probe")
            #expect(stage.lines.all.count == 3)
        }
    }

    @Test func `an app at a terminal prints once how to register the app`() async throws {
        try await LaunchStage.run { stage in
            let probe = try stage.startAtTerminal()
            #expect(try await probe.exit() == 0)
            let line = ShellQuoting.line([
                "tocsin", "register", try HostedService.program("LaunchProbe"), "--id",
                "org.tocsin.Test",
            ])
            let told = probe.lines.all.filter { $0.contains("tocsin register") }
            #expect(told.count == 1)
            #expect(told.first?.contains(line) == true, "\(told)")
        }
    }

    @Test func `an app without a terminal does not print how to register the app`() async throws {
        try await LaunchStage.run { stage in
            let probe = try stage.start()
            #expect(try await probe.exit() == 0)
            #expect(try await probe.allSaid().isEmpty)
        }
    }

    // MARK: Crashes

    @Test func `a daemon that is killed between a popup and its click loses no response`()
        async throws
    {
        try await LaunchStage.run { stage in
            let post = try await stage.schedule()
            try await stage.killDaemon()
            try await stage.startDaemon()
            try await stage.server.click(post.id, post.key("return"))
            try await stage.report("the response") { $0.contains("acknowledged") }
            #expect(stage.lines.all.count == 3 && stage.lines.all[1] == "response open cup 7")
            #expect(try await stage.center().service.status().responseCount == 0)
            #expect(stage.server.calls.all.count == 1)
        }
    }

    @Test func `a click starts the app although the server ends right after it`() async throws {
        try await LaunchStage.run { stage in
            let post = try await stage.schedule()
            try await stage.server.click(post.id, "default")
            await stage.server.stop()
            try await stage.report("the response") { $0.contains("acknowledged") }
            #expect(stage.lines.all.count == 3)
            #expect(try await stage.center().service.status().responseCount == 0)
        }
    }

    /// An engine in the test handles the click; a real daemon then opens a copy of its store.
    @Test func `if a daemon is killed after a click, the next daemon starts the app`()
        async throws
    {
        try await LaunchStage.run { stage in
            let store = try await stage.center().service.status().store
            try await stage.killDaemon()
            try await Self.leaveAClick(in: store, stage)
            _ = FileManager.default.createFile(
                atPath: stage.bus.directory + "/marker", contents: nil)
            try await stage.startDaemon()
            #expect(try await stage.center().service.status().responseCount == 1)
            try await stage.report("the response") { $0.contains("acknowledged") }
            #expect(
                stage.lines.all == [
                    "start token - words  for probe",
                    "response com.apple.UNNotificationDefaultActionIdentifier cup 7",
                    "acknowledged",
                ])
            #expect(try await stage.center().service.status().responseCount == 0)
        }
    }

    /// Lets an engine handle a click; copies its store to `store` before the engine starts the app.
    private static func leaveAClick(in store: String, _ stage: LaunchStage) async throws {
        let reactor = Reactor.started("killed")
        defer { reactor.stop() }
        let folder = stage.bus.directory + "/engine"
        let launcher = RecordingLauncher()
        let presenter = RecordingPresenter()
        var configuration = EngineConfiguration(
            layout: StoreLayout(directory: folder), hosting: "daemon", version: "test",
            zones: SystemZones(environment: [:]))
        configuration.launcher = launcher
        configuration.step = { step in
            guard step == .launching else { return }
            for suffix in ["", "-wal"] {
                try? FileManager.default.removeItem(atPath: store + suffix)
                try? FileManager.default.copyItem(
                    atPath: "\(folder)/center.sqlite\(suffix)", toPath: store + suffix)
            }
            try? FileManager.default.removeItem(atPath: store + "-shm")
        }
        let app = try ApplicationID("org.tocsin.Test")
        // The click gets the machine's time, because the daemon starts no app for an old click.
        let now = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let reading = ClockReading(wall: now, boot: 1, bootID: "before", timeZone: "UTC")
        let engine = try await CenterEngine.start(
            configuration, presenter: presenter, clock: VirtualClock(reading), reactor: reactor)
        let session = try await engine.connect(
            ApplicationIdentity(
                id: app, name: "Test App", executable: try HostedService.program("LaunchProbe"),
                directory: "/"), asksBeforePresenting: false
        ) { _ in }
        var content = NotificationContent(title: "Come back")
        content.userInfo = ["cup": .integer(7)]
        try await engine.add(
            NotificationRequest(identifier: "probe", content: content), attachments: [], for: app)
        try await presenter.presentations.first(1)
        await engine.disconnect(session)
        await engine.untilAtRest()
        #expect(try await engine.delivered(of: app).count == 1)
        presenter.respond(NotificationKey(app: app, identifier: "probe"))
        try await launcher.requests.first(1)
        await engine.stop()
    }
}
