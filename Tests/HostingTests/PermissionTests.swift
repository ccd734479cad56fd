import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The permission of an app to notify: asked once, kept, and obeyed, in both hosting modes.
@Suite(.timeLimit(.minutes(5))) struct PermissionTests {
    @Test(arguments: Hosting.allCases)
    func `the user is asked once and the answer is kept`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.connectAsLibrary()
            let first = harness.request([.alert, .sound])
            let second = harness.request([.alert, .badge])
            let prompt = try await harness.post(1)
            #expect(prompt.summary == "Test App would like to send you notifications")
            #expect(prompt.body == "To tell you when the tea is ready.")
            #expect(prompt.actions.map(\.label) == ["Allow", "Don\u{2019}t Allow"])
            try await harness.server.click(prompt.id, prompt.actions[0].key)
            #expect(try await first.value)
            #expect(try await second.value)
            #expect(try await harness.request([.alert]).value)
            let settings = try await harness.service.settings(of: harness.app)
            #expect(settings.permission?.status == .authorized)
            #expect(settings.permission?.options.isSuperset(of: [.alert, .sound, .badge]) == true)
            try await harness.center.add("now")
            #expect(try await harness.post(2).summary == "now")
            #expect(harness.server.calls.all.count == 2, "the user was asked once")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `an app without permission cannot add a request, and the error names the remedy`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.connectAsLibrary()
            let early = await #expect(throws: NotificationError.self) {
                try await harness.center.add("early")
            }
            #expect(early?.code == .notAllowed)
            #expect(early?.message.contains("requestAuthorization") == true)
            let request = harness.request([.alert])
            let prompt = try await harness.post(1)
            try await harness.server.click(prompt.id, prompt.actions[1].key)
            #expect(try await !request.value)
            #expect(try await !harness.request([.alert]).value, "the user is not asked again")
            let late = await #expect(throws: NotificationError.self) {
                try await harness.center.add("late")
            }
            #expect(late?.code == .notAllowed)
            let remedy =
                hosting == .daemon
                ? "command: tocsin settings org.tocsin.Test --allow" : "TOCSIN_PERMISSION=allow."
            #expect(late?.message.hasSuffix(remedy) == true)
            #expect(harness.server.calls.all.count == 1)
            #expect(try await harness.service.pending(of: nil).isEmpty)
            try await harness.service.decide(.allow, for: harness.app)
            try await harness.center.add("allowed")
            #expect(try await harness.post(2).summary == "allowed")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `if the user closes the question, the request returns false, and the next one asks again`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.connectAsLibrary()
            let start = ContinuousClock.now
            let first = harness.request([.alert])
            try await harness.server.close(try await harness.post(1).id, reason: 2)
            #expect(try await !first.value)
            // The result is not that of the timeout, which ends an open question after a minute.
            #expect(ContinuousClock.now - start < .seconds(60))
            let settings = try await harness.service.settings(of: harness.app)
            #expect(settings.permission?.status == .notDetermined)
            let second = harness.request([.alert])
            let prompt = try await harness.post(2)
            try await harness.server.click(prompt.id, prompt.actions[0].key)
            #expect(try await second.value)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a provisional permission is granted at once and notifies quietly`(
        _ hosting: Hosting
    ) async throws {
        var script = ServerScript()
        script.capabilities.append("sound")
        try await ServiceHarness.run(hosting, script: script) { harness in
            try await harness.connectAsLibrary()
            #expect(try await harness.request([.alert, .sound, .provisional]).value)
            try await harness.center.add("quiet") { $0.sound = NotificationSound(.standard) }
            let post = try await harness.post(1)
            #expect(post.summary == "quiet")
            #expect(post.hints["urgency"] == .byte(0))
            #expect(post.hints["suppress-sound"] == .bool(true))
        }
    }

    @Test(arguments: Hosting.allCases)
    func `without a server, a request for permission fails and names the remedy`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.connectAsLibrary()
            await harness.server.stop()
            let error = await #expect(throws: NotificationError.self) {
                try await harness.request([.alert]).value
            }
            #expect(error?.code == .noServer)
            #expect(error?.message.contains("dunst") == true)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a client that needs no permission notifies without a question until the user denies it`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect()
            try await harness.center.add("plain")
            #expect(try await harness.post(1).summary == "plain")
            #expect(try await harness.service.settings(of: harness.app).permission == nil)
            try await harness.service.decide(.deny, for: harness.app)
            let error = await #expect(throws: NotificationError.self) {
                try await harness.center.add("denied")
            }
            #expect(error?.code == .notAllowed)
            try await harness.service.decide(.reset, for: harness.app)
            #expect(
                try await harness.service.permissions() == [
                    ApplicationPermission(app: harness.app, name: "Test App", permission: nil)
                ])
            try await harness.center.add("again")
            #expect(try await harness.post(2).summary == "again")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a pending request of a denied app is not shown`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.connectAsLibrary()
            try await harness.service.decide(.allow, for: harness.app)
            // Without a server the due request waits, so the decision cannot come too late.
            await harness.server.stop()
            try await harness.center.add("denied")
            try await harness.service.decide(.deny, for: harness.app)
            try await harness.server.start()
            try await harness.center.settled { pending, delivered in
                pending.isEmpty && delivered.isEmpty
            }
            #expect(harness.server.calls.all.isEmpty)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a decision about permission is still known after a restart`(
        _ hosting: Hosting
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            var daemon = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            try await HostedService.allow(hosting, on: bus)
            await daemon?.stop()
            daemon = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            let center = try await HostedService.attach(hosting, on: bus)
            try await center.connect(needsPermission: true)
            #expect(
                try await center.service.requestAuthorization([.alert], for: center.app),
                "the app was allowed before the restart")
            try await center.add("now")
            let posts = try await server.calls.wait(for: "the popup") { !$0.isEmpty }
            #expect(posts.map(\.summary) == ["now"])
            await daemon?.stop()
            await server.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the settings report Do Not Disturb if the server reports it`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting, script: .plasma64) { harness in
            let unsaid = try await harness.service.settings(of: harness.app)
            #expect(unsaid.presenter.isInhibited == nil)
            for isOn in [true, false] {
                await harness.server.change { $0.isInhibited = isOn }
                let settings = try await harness.service.settings(of: harness.app)
                #expect(settings.presenter.isInhibited == isOn)
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a program asks with the name and reason of its desktop file`(
        _ hosting: Hosting
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let daemon = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            let entry = """
                [Desktop Entry]
                Type=Application
                Name=Tea Time
                Exec=true
                X-Tocsin-UsageDescription=To tell you when the tea is ready.
                """
            let folder = try #require(bus.environment["XDG_DATA_HOME"]) + "/applications"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try entry.write(
                toFile: folder + "/org.tocsin.Test.desktop", atomically: true, encoding: .utf8)
            let program = try RunningProgram(
                try HostedService.program("HostProbe"), ["ask"],
                environment: hosting.environment(bus.environment))
            let prompt = try await server.calls.first("the question") { _ in true }
            #expect(prompt.summary == "Tea Time would like to send you notifications")
            #expect(prompt.body == "To tell you when the tea is ready.")
            try await server.click(prompt.id, "action.allow")
            try await program.lines.wait(for: "the answer") {
                $0 == ["before 0, add refused 1", "granted true", "after 2"]
            }
            await program.stop()
            await daemon?.stop()
            await server.stop()
        }
    }

    @Test func `an environment variable can allow an app with an embedded centre to notify`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        var environment = Hosting.embedded.environment(bus.environment)
        environment["TOCSIN_PERMISSION"] = "allow"
        let program = try RunningProgram(
            try HostedService.program("HostProbe"), ["add", "0.1", "Allowed"],
            environment: environment)
        try await server.calls.first("the popup") { $0.summary == "Allowed" }
        await program.stop()
        await server.stop()
    }

    @Test func `an Info plist beside the program has the reasons that questions show`() async throws
    {
        let bus = try PrivateBus()
        let plist = [
            "NSUserNotificationsUsageDescription": "For your tea.",
            "NSLocationWhenInUseUsageDescription": "For the shop.",
        ]
        try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
            .write(to: URL(fileURLWithPath: bus.directory + "/Info.plist"))
        let program = bus.directory + "/program"
        let identity = HostedService.identity(of: program)
        #expect(identity.usageDescription == "For your tea.")
        #expect(identity.locationUsageDescription == "For the shop.")
        let folder = bus.directory + "/Tea_Tea.resources/de.lproj"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try "NSUserNotificationsUsageDescription = \"Für deinen Tee.\";".write(
            toFile: folder + "/InfoPlist.strings", atomically: true, encoding: .utf8)
        let german = HostedService.identity(
            of: program, environment: ["LC_ALL": "de_DE.UTF-8", "LANGUAGE": ""])
        #expect(german.usageDescription == "Für deinen Tee.")
        #expect(german.locationUsageDescription == "For the shop.")
        #expect(HostedService.identity(of: "/nowhere/program").usageDescription == "")
    }

    @Test func `a daemon that ends closes its question on the screen`() async throws {
        try await ServiceHarness.run(.daemon) { harness in
            try await harness.connectAsLibrary()
            let request = harness.request([.alert])
            let prompt = try await harness.post(1)
            await harness.center.stop()
            try await harness.server.closings.wait(for: "the question's end") {
                $0 == [prompt.id]
            }
            request.cancel()
        }
    }
}

extension ServiceHarness {
    /// Connects as an app that needs permission.
    fileprivate func connectAsLibrary() async throws {
        try await center.connect(needsPermission: true)
    }

    /// Requests permission in a task, while the test answers the question.
    fileprivate func request(
        _ options: Permission.Options
    ) -> Task<Bool, any Error> {
        // An immediate task starts at once, so two requests keep their order.
        Task.immediate { try await service.requestAuthorization(options, for: app) }
    }
}
