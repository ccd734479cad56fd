import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A dialog program asks the questions that the notification server cannot ask, in both hosting
/// modes.
@Suite(.timeLimit(.minutes(5))) struct DialogTests {
    /// A zenity script that saves its arguments and then runs this command.
    private static func zenity(_ what: String) -> [String: String] {
        ["zenity": "for a in \"$@\"; do echo \"$a\"; done >\"$FOLDER/said\"\n\(what)"]
    }

    private static var withoutButtons: ServerScript {
        var script = ServerScript()
        script.capabilities = ["body"]
        return script
    }

    @Test(arguments: Hosting.allCases)
    func `on a server without buttons, a dialog asks for permission`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(
            hosting, script: Self.withoutButtons, programs: Self.zenity("exit \"$ZENITY_OK\"")
        ) { harness in
            try await harness.center.connect(needsPermission: true)
            #expect(
                try await harness.service.requestAuthorization([.alert], for: harness.app))
            let said = try harness.said()
            #expect(said.first == "--question")
            #expect(
                said.contains("--text=Test App would like to send you notifications."))
            try await harness.center.add("now")
            #expect(try await harness.post(1).summary == "now")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a refusal in the dialog denies permission, and a closed dialog decides nothing`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(
            hosting, script: Self.withoutButtons, programs: Self.zenity("exit \"$ZENITY_ESC\"")
        ) { harness in
            try await harness.center.connect(needsPermission: true)
            let app = harness.app
            let start = ContinuousClock.now
            #expect(try await !harness.service.requestAuthorization([.alert], for: app))
            // The closed dialog gave this result, and not the timeout of one minute.
            #expect(ContinuousClock.now - start < .seconds(60))
            let settings = try await harness.service.settings(of: app)
            #expect(settings.permission?.status == .notDetermined)
        }
        try await ServiceHarness.run(
            hosting, script: Self.withoutButtons, programs: Self.zenity("exit \"$ZENITY_CANCEL\"")
        ) { harness in
            try await harness.center.connect(needsPermission: true)
            let app = harness.app
            #expect(try await !harness.service.requestAuthorization([.alert], for: app))
            let settings = try await harness.service.settings(of: app)
            #expect(settings.permission?.status == .denied)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `without a dialog program, a request for permission fails and names the remedy`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(
            hosting, script: Self.withoutButtons, programs: ["other": "exit 0"]
        ) { harness in
            try await harness.center.connect(needsPermission: true)
            let error = await #expect(throws: NotificationError.self) {
                try await harness.service.requestAuthorization([.alert], for: harness.app)
            }
            #expect(error?.code == .noServer)
            #expect(error?.message.contains("Install zenity or kdialog") == true)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the text that the user types in a dialog is the reply`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(
            hosting, programs: Self.zenity("echo 'On my way'; exit \"$ZENITY_OK\"")
        ) { harness in
            let post = try await harness.showMail()
            try await harness.server.click(post.id, "action.reply")
            let response = try await harness.center.response(1)
            #expect(response.action == .reply("reply", text: "On my way"))
            #expect(response.notification.request.identifier == "mail")
            #expect(
                try harness.said() == [
                    "--entry", "--title=Test App", "--text=Where are you?", "Your answer",
                    "--ok-label=Send",
                ])
        }
    }

    // An app's handler may cast this response to a text response.
    @Test(arguments: Hosting.allCases)
    func `without a dialog program, a click on a text button is a reply without a text`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting, programs: ["other": "exit 0"]) { harness in
            let post = try await harness.showMail()
            try await harness.server.click(post.id, "action.reply")
            #expect(try await harness.center.response(1).action == .reply("reply", text: nil))
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a closed dialog sends no response`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(
            hosting, programs: Self.zenity("echo half; exit \"$ZENITY_ESC\"")
        ) { harness in
            let post = try await harness.showMail()
            try await harness.server.click(post.id, "action.reply")
            try await harness.center.settled { _, delivered in delivered.isEmpty }
            #expect(try await harness.service.status().responseCount == 0)
            #expect(harness.center.events.all.isEmpty)
        }
    }

    @Test func `a daemon that ends closes its dialog on the screen`() async throws {
        let script = "echo $$ >\"$FOLDER/pid\"; exec /bin/sleep 1000"
        try await ServiceHarness.run(.daemon, programs: ["zenity": script]) { harness in
            let pipe = harness.bus.directory + "/pid"
            try #require(mkfifo(pipe, 0o600) == 0)
            let started = try RunningProgram("cat", [pipe])
            let post = try await harness.showMail()
            try await harness.server.click(post.id, "action.reply")
            let pid = try #require(Int32(try await started.lines.first(1)[0]))
            await harness.center.stop()
            #expect(kill(pid, 0) != 0, "the dialog has gone with the daemon")
            await started.stop()
        }
    }
}

extension ServiceHarness {
    /// The arguments that the dialog program saved, one a line.
    fileprivate func said() throws -> [String] {
        try String(contentsOfFile: bus.directory + "/said", encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// Shows a notification with a text action; returns when the notification is stored.
    fileprivate func showMail() async throws -> NotifyCall {
        try await center.connect()
        try await service.setCategories(
            [
                NotificationCategory(
                    identifier: "mail",
                    actions: [
                        NotificationAction(
                            identifier: "reply", title: "Reply",
                            textInput: .init(buttonTitle: "Send", placeholder: "Your answer"))
                    ])
            ], of: app)
        try await center.add("mail", title: "Where are you?") { $0.categoryIdentifier = "mail" }
        let post = try await post(1)
        try await center.settled { _, delivered in delivered.count == 1 }
        return post
    }
}
