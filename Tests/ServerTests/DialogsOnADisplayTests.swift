import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The real zenity on a virtual display, with a keyboard.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct DialogsOnADisplayTests {
    private static let isThere = RunningProgram.path(of: "zenity") != nil

    @Test(
        .enabled(if: isThere, "zenity is not installed: apt-get install zenity"),
        arguments: Hosting.allCases)
    func `text that the user types into a dialog is the reply`(_ hosting: Hosting) async throws {
        try await onDisplay(hosting, capabilities: ["actions", "body"]) { stage in
            let center = stage.center
            try await center.connect()
            try await center.service.setCategories(
                [
                    NotificationCategory(
                        identifier: "mail",
                        actions: [
                            NotificationAction(
                                identifier: "reply", title: "Reply",
                                textInput: .init(
                                    buttonTitle: "Send_it", placeholder: "A \\n & <b>_word_</b>"))
                        ])
                ], of: center.app)
            try await center.add("mail", title: "Where are you?") {
                $0.categoryIdentifier = "mail"
            }
            let post = try await stage.server.calls.first("the popup") { _ in true }
            try await center.settled { _, delivered in delivered.count == 1 }
            try await stage.server.click(post.id, "action.reply")
            try await stage.waitForWindow()
            try await stage.press(["type", "On my way!"])
            try await stage.screenshot("zenity-text-\(hosting)")
            try await stage.press(["key", "Return"])
            #expect(try await center.response(1).action == .reply("reply", text: "On my way!"))
        }
    }

    @Test(
        .enabled(if: isThere, "zenity is not installed: apt-get install zenity"),
        arguments: Hosting.allCases)
    func `the user grants permission with Tab and Return, and denies it with Return alone`(
        _ hosting: Hosting
    ) async throws {
        for (keys, status) in [
            (["Tab", "Return"], Permission.Status.authorized), (["Return"], .denied),
            (["Escape"], .notDetermined),
        ] {
            try await onDisplay(hosting, capabilities: ["body"]) { stage in
                let center = stage.center
                try await center.connect(needsPermission: true)
                let request = Task {
                    try await center.service.requestAuthorization(.all, for: center.app)
                }
                try await stage.waitForWindow()
                try await stage.screenshot("zenity-permission-\(hosting)")
                try await stage.press(["key"] + keys)
                #expect(try await request.value == (status == .authorized))
                let permission = try await center.service.settings(of: center.app).permission
                #expect(permission?.status == status)
            }
        }
    }

    /// A centre in a session with a display and a scripted server.
    private struct Stage {
        let center: HostedService
        let server: ScriptedServer
        let environment: [String: String]
        let display: VirtualDisplay

        func waitForWindow() async throws {
            _ = try await Pointer(environment: environment).window(ofClass: "Zenity")
        }

        func press(_ keys: [String]) async throws {
            try await RunningProgram.run("xdotool", keys, environment: environment)
        }

        func screenshot(_ name: String) async throws {
            try await Screenshot.save(name, of: display)
        }
    }

    private func onDisplay(
        _ hosting: Hosting, capabilities: [String], _ body: (Stage) async throws -> Void
    ) async throws {
        let display = try await VirtualDisplay.start()
        let bus = try PrivateBus()
        var script = ServerScript()
        script.capabilities = capabilities
        let server = try await ScriptedServer.start(on: bus, script: script)
        let variables = [
            "DISPLAY": display.name, "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
        ]
        let environment = bus.environment.merging(variables) { $1 }
        let center = try await HostedService.start(hosting, on: bus, adding: variables)
        do {
            try await body(
                Stage(
                    center: center, server: server, environment: environment, display: display))
        } catch {
            _ = try? await Screenshot.save("failed-zenity", of: display)
            await center.stop()
            await display.stop()
            throw error
        }
        await center.stop()
        await server.stop()
        await display.stop()
    }
}
