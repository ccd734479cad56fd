import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Requests that carry their own buttons, on the way to the server and back.
@Suite(.timeLimit(.minutes(5))) struct OwnActionTests {
    private static let category = NotificationCategory(
        identifier: "door",
        actions: [NotificationAction(identifier: "ring", title: "Ring")],
        hiddenPreviewsBodyPlaceholder: "%u visitors")
    private static let open = NotificationAction(
        identifier: "open", title: "Open", options: .authenticationRequired)
    private static let keep = NotificationAction(
        identifier: "keep", title: "Keep", options: .destructive)

    @Test(arguments: Hosting.allCases)
    func `a request's own buttons replace the buttons of its category`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect()
            try await harness.service.setCategories([Self.category], of: harness.app)
            try await harness.center.add("a") {
                $0.categoryIdentifier = "door"
                $0.actions = [Self.keep, Self.open]
            }
            let post = try await harness.post(1)
            #expect(post.actions.map(\.label).prefix(2) == ["Open", "Keep"])
            // A later change or removal of the category does not change the popup on the screen.
            try await harness.service.setCategories([], of: harness.app)
            try await harness.server.click(post.id, "action.keep")
            let response = try await harness.center.response(1)
            #expect(response.action == .custom("keep"))
            #expect(response.notification.request.content.actions == [Self.keep, Self.open])
            try await harness.center.add("b") { $0.actions = [Self.keep] }
            let second = try await harness.post(2)
            try await harness.server.click(second.id, "action.keep")
            #expect(try await harness.center.response(2).action == .custom("keep"))
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a dismissal reaches the app only if the request reports dismissals`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect()
            try await harness.center.add("silent") { $0.actions = [Self.keep] }
            try await harness.center.add("told") { $0.reportsDismissal = true }
            for call in [try await harness.post(1), try await harness.post(2)] {
                try await harness.server.close(call.id, reason: 2)
            }
            let response = try await harness.center.response(1)
            #expect(response.action == .dismiss)
            #expect(response.notification.request.identifier == "told")
            try await harness.center.settled { _, delivered in delivered.isEmpty }
            #expect(harness.center.events.all.count == 1)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a request's own buttons can ask for a text or snooze the request`(
        _ hosting: Hosting
    ) async throws {
        var script = ServerScript()
        script.capabilities.append("inline-reply")
        try await ServiceHarness.run(hosting, script: script) { harness in
            try await harness.center.connect()
            try await harness.center.add("a") {
                $0.actions = [
                    NotificationAction(identifier: "later", title: "Later", snooze: 0.2),
                    NotificationAction(
                        identifier: "say", title: "Say",
                        textInput: .init(buttonTitle: "Send", placeholder: "Words")),
                ]
            }
            let first = try await harness.post(1)
            #expect(first.hints["x-kde-reply-placeholder-text"] == .string("Words"))
            try await harness.server.click(first.id, "action.later")
            let again = try await harness.post(2)
            #expect(again.actions == first.actions)
            try await harness.server.reply(again.id, "Hello")
            #expect(try await harness.center.response(1).action == .reply("say", text: "Hello"))
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a locked session hides the texts, and a response that needs authentication waits`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let locker = try await harness.startLocker(isActive: true)
            try await harness.center.connect()
            try await harness.service.setCategories([Self.category], of: harness.app)
            try await harness.center.add("Anna is here") {
                $0.categoryIdentifier = "door"
                $0.actions = [Self.open]
            }
            let hidden = try await harness.post(1)
            #expect(hidden.body == "1 visitors")
            #expect(hidden.actions.map(\.label).first == "Open")
            try await harness.server.click(hidden.id, "action.open")
            try await harness.service.waitForStoredResponses(1)
            #expect(harness.center.events.all.isEmpty)
            try await locker.lock(false)
            #expect(try await harness.center.response(1).action == .custom("open"))
            await locker.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a request with invalid or too large buttons is refused`(
        _ hosting: Hosting
    ) async throws {
        let hostile: [[NotificationAction]] = [
            (0...64).map { NotificationAction(identifier: "\($0)", title: "x") },
            [NotificationAction(identifier: "a", title: String(repeating: "x", count: 300_000))],
            [
                NotificationAction(
                    identifier: "a", title: "A",
                    textInput: .init(
                        buttonTitle: "", placeholder: String(repeating: "x", count: 300_000)))
            ],
            [NotificationAction(identifier: "a\0b", title: "A")],
        ]
        let numbers = [0, -1, Double.infinity, .nan, 1e300].map { seconds in
            [NotificationAction(identifier: "a", title: "A", snooze: seconds)]
        }
        try await ServiceHarness.run(hosting) { harness in
            for actions in hostile + numbers {
                let error = await #expect(throws: NotificationError.self) {
                    try await harness.center.add("a") { $0.actions = actions }
                }
                #expect(error?.code == .invalidArgument, "\(actions.first?.title.prefix(9) ?? "")")
            }
            try await harness.center.add("good") { $0.actions = [Self.keep] }
            #expect(try await harness.post(1).summary == "good")
        }
    }

    // MARK: The tool

    private static func tocsin(
        _ bus: PrivateBus, _ arguments: String...
    ) throws -> RunningProgram {
        try RunningProgram(
            try HostedService.program("tocsin"), arguments, environment: bus.environment)
    }

    @Test func `tocsin send with a button calls neither Connect nor SetCategories`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let recorder = try await BusRecorder(bus)
        let send = try Self.tocsin(bus, "send", "Go?", "-A", "yes=Yes")
        #expect(try await send.exit() == 0, "\(send.said)")
        try await recorder.waitForAnswer(to: "Notify")
        await recorder.stop()
        let text = recorder.text
        for member in ["SetCategories", "Categories", "Connect"] {
            #expect(!text.contains("member=\(member)"), "\(text)")
        }
        let post = try #require(server.calls.all.first)
        #expect(post.actions.map(\.label).first == "Yes")
        await daemon.stop()
        await server.stop()
    }

    @Test func `tocsin send --wait ends on a click although the daemon was restarted`()
        async throws
    {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let former = try await HostedService.startDaemon(on: bus)
            let send = try Self.tocsin(bus, "send", "Go?", "-A", "yes=Yes", "--wait")
            let post = try await server.calls.first("the popup") { $0.summary == "Go?" }
            let service = try await HostedService.client(on: bus)
            try await service.waitForDelivered(of: .tocsin)
            former.signal(SIGKILL)
            _ = try await former.exit()
            let daemon = try await HostedService.startDaemon(on: bus)
            // The daemon handles clicks only when it serves, a moment after it gets its name.
            _ = try await service.status()
            try await server.click(post.id, "action.yes")
            #expect(try await send.exit() == 0, "\(send.said)")
            try await send.lines.untilFinished()
            #expect(send.lines.all == ["yes"])
            await daemon.stop()
            await server.stop()
        }
    }
}
