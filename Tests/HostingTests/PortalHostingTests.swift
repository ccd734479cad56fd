import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Notifications that the desktop portal shows, from the app's request to its response.
@Suite(.timeLimit(.minutes(5))) struct PortalHostingTests {
    private static let category = NotificationCategory(
        identifier: "drink",
        actions: [
            NotificationAction(identifier: "drink it", title: "Drink"),
            NotificationAction(
                identifier: "answer", title: "Answer",
                textInput: .init(buttonTitle: "Send", placeholder: "Your answer")),
        ])

    private func run(
        _ hosting: Hosting, script: PortalScript,
        _ body: (ScriptedPortal, HostedService) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let portal = try await ScriptedPortal.start(on: bus, script: script)
            let center = try await HostedService.start(
                hosting, on: bus, adding: ["TOCSIN_PRESENTER": "portal"])
            do {
                try await center.connect()
                try await center.service.setCategories([Self.category], of: center.app)
                try await body(portal, center)
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
            await portal.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the portal shows a scheduled request, and a click on its button reaches the app`(
        _ hosting: Hosting
    ) async throws {
        try await run(hosting, script: PortalScript()) { portal, center in
            try await center.add(
                "tea", title: "Tea", trigger: .interval(seconds: 0.1, repeats: false)
            ) {
                $0.categoryIdentifier = "drink"
                $0.userInfo = ["cup": .integer(1)]
            }
            let call = try await portal.calls.first(1)[0]
            #expect(call.id == "org.tocsin.Test/tea")
            #expect(call.buttons.map(\.label) == ["Drink", "Answer"])
            try await portal.click(call, call.buttons[0].action)
            let response = try await center.response(1)
            #expect(response.action == .custom("drink it"))
            #expect(response.notification.request.content.userInfo == ["cup": .integer(1)])
            try await center.settled { pending, delivered in
                pending.isEmpty && delivered.isEmpty
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a reply typed in the notification reaches the app`(_ hosting: Hosting) async throws {
        try await run(hosting, script: .version2) { portal, center in
            try await center.add("mail") { $0.categoryIdentifier = "drink" }
            let call = try await portal.calls.first(1)[0]
            let platform = BusValue.vardict([("activation-token", .string("t"))])
            try await portal.click(
                call, call.buttons[1].action, parameters: [platform, .string("soon")])
            let response = try await center.response(1)
            #expect(response.action == .reply("answer", text: "soon"))
            #expect(response.activationToken == "t")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the portal removes a notification that the app removes`(_ hosting: Hosting) async throws {
        try await run(hosting, script: PortalScript()) { portal, center in
            try await center.add("tea")
            try await center.settled { _, delivered in delivered.count == 1 }
            try await center.service.removeDelivered(.identifiers(["tea"]), of: center.app)
            try await portal.removals.first("the removal") { $0 == "org.tocsin.Test/tea" }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the status names the portal`(_ hosting: Hosting) async throws {
        try await run(hosting, script: .version2) { _, center in
            let status = try await center.service.status().presenter
            #expect(status.isPortal && status.isAvailable)
            #expect(status.version == "2")
            #expect(status.specification == "org.freedesktop.portal.Notification")
        }
    }

    /// The portal's ids stay valid after the daemon that assigned them has ended.
    @Test func `a restarted daemon can remove notifications that the previous daemon added`()
        async throws
    {
        let bus = try PrivateBus()
        let portal = try await ScriptedPortal.start(on: bus)
        // This client starts no daemon when the running one ends.
        let client = try await HostedService.client(on: bus)
        let app = try ApplicationID("org.tocsin.Test")
        let first = try await startDaemon(on: bus)
        _ = try await client.connect(
            ApplicationIdentity(id: app, name: "Test App"), asksBeforePresenting: false
        ) { _ in }
        try await client.add(
            NotificationRequest(
                identifier: "tea", content: NotificationContent(title: "Tea")),
            attachments: [], for: app)
        try await client.waitForDelivered(of: app)
        await first.stop()
        let second = try await startDaemon(on: bus)
        try await client.removeDelivered(.all, of: app)
        try await portal.removals.first("the removal") { $0 == "org.tocsin.Test/tea" }
        #expect(portal.calls.all.count == 1)
        await second.stop()
        await portal.stop()
    }

    private func startDaemon(on bus: PrivateBus) async throws -> RunningProgram {
        try await HostedService.startDaemon(on: bus, adding: ["TOCSIN_PRESENTER": "portal"])
    }
}
