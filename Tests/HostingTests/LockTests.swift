import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A session locked by its screen saver or by logind, in both hosting modes.
@Suite(.timeLimit(.minutes(5))) struct LockTests {
    private static let category = NotificationCategory(
        identifier: "door",
        actions: [
            NotificationAction(
                identifier: "open", title: "Open", options: .authenticationRequired)
        ], hiddenPreviewsBodyPlaceholder: "%u visitors")

    /// Starts a scripted screen saver, waits until the centre knows it, and connects the app.
    ///
    /// The app has a category.
    private func prepare(
        _ harness: ServiceHarness, isLocked: Bool, as name: BusName = "org.freedesktop.ScreenSaver"
    ) async throws -> ScriptedLocker {
        let locker = try await harness.startLocker(name, isActive: isLocked)
        try await harness.center.connect()
        try await harness.service.setCategories([Self.category], of: harness.app)
        return locker
    }

    private func lock(
        _ isLocked: Bool = true, by locker: ScriptedLocker, on bus: PrivateBus,
        _ service: any NotificationService
    ) async throws {
        try await locker.lock(isLocked)
        try await bus.untilReceived()
        #expect(try await service.status().lock.isLocked == isLocked)
    }

    private func show(_ name: String, _ harness: ServiceHarness) async throws {
        try await harness.center.add(name) {
            $0.categoryIdentifier = "door"
            $0.sound = NotificationSound(.standard)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `texts are hidden until the screen saver ends`(_ hosting: Hosting) async throws {
        var script = ServerScript()
        script.capabilities.append("sound")
        try await ServiceHarness.run(hosting, script: script) { harness in
            let locker = try await prepare(harness, isLocked: true)
            try await show("Anna is here", harness)
            let hidden = try await harness.post(1)
            #expect(hidden.summary == "Test App" && hidden.body == "1 visitors")
            #expect(hidden.hints["sound-name"] != nil, "a hidden popup keeps its sound")
            try await locker.lock(false)
            let shown = try await harness.post(2)
            #expect(shown.summary == "Anna is here" && shown.body == "body")
            #expect(shown.replacesID == hidden.id)
            #expect(shown.hints["suppress-sound"] == .bool(true))
            await locker.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a response that needs authentication comes when the session is unlocked`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let locker = try await prepare(
                harness, isLocked: false, as: "org.gnome.ScreenSaver")
            for name in ["a", "b"] { try await show(name, harness) }
            try await lock(by: locker, on: harness.bus, harness.service)
            let post = try await harness.post(1)
            try await harness.server.click(post.id, post.actions[0].key)
            // The first response is deferred, and the app gets the second only after the first.
            try await harness.server.click(try await harness.post(2).id, "default")
            try await harness.service.waitForStoredResponses(2)
            #expect(harness.center.events.all.isEmpty)
            try await locker.lock(false)
            #expect(try await harness.center.response(1).action == .custom("open"))
            #expect(try await harness.center.response(2).action == .standard)
            await locker.stop()
        }
    }

    @Test func `after the daemon's restart, a deferred response still waits for the unlock`()
        async throws
    {
        try await LaunchStage.run { stage in
            let locker = try await ScriptedLocker.start(on: stage.bus)
            let center = try await stage.center()
            try await center.connect()
            try await center.service.setCategories([Self.category], of: center.app)
            try await center.add("a") { $0.categoryIdentifier = "door" }
            let post = try await stage.server.calls.first(1)[0]
            try await lock(by: locker, on: stage.bus, center.service)
            try await stage.server.click(post.id, post.actions[0].key)
            try await center.service.waitForStoredResponses(1)
            try await stage.killDaemon()
            try await stage.startDaemon()
            // After this call the app has registered with the new daemon.
            try await stage.bus.untilReceived()
            // The app must not connect again: either connection could then get the response.
            #expect(try await center.service.status().lock.isLocked)
            #expect(center.events.all.isEmpty)
            try await locker.lock(false)
            #expect(try await center.response(1).action == .custom("open"))
            await locker.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the centre follows logind's lock on the system bus`(_ hosting: Hosting) async throws {
        let system = try PrivateBus()
        let logind = try await ScriptedLogind.start(on: system)
        try await logind.lock()
        let recorder = try await BusRecorder(system)
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let center = try await HostedService.start(
            hosting, on: bus,
            adding: [
                "DBUS_SYSTEM_BUS_ADDRESS": system.address.rawValue, "XDG_SESSION_ID": "",
            ])
        let harness = ServiceHarness(center: center, server: server, bus: bus)
        try await center.connect()
        try await harness.service.setCategories([Self.category], of: harness.app)
        // The centre reads the graphical session, and then its `LockedHint`.
        try await recorder.waitForAnswer(to: "Get", count: 2)
        await recorder.stop()
        try await system.untilReceived()
        let lock = try await harness.service.status().lock
        #expect(lock.isLocked && lock.sources == ["org.freedesktop.login1"])
        try await show("a", harness)
        #expect(try await harness.post(1).summary == "Test App")
        try await logind.lock(false)
        #expect(try await harness.post(2).summary == "a")
        await center.stop()
        await server.stop()
        await logind.stop()
    }

    @Test(arguments: Hosting.allCases)
    func `the centre hides no texts in a locked GNOME session, because GNOME hides them`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting, script: .gnome46) { harness in
            let locker = try await prepare(harness, isLocked: true)
            try await show("a", harness)
            #expect(try await harness.post(1).summary == "a")
            try await lock(false, by: locker, on: harness.bus, harness.service)
            try await show("b", harness)
            #expect(try await harness.post(2).summary == "b", "'a' is not shown a second time")
            await locker.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the user's preview setting hides or shows texts, whether the session is locked or not`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect()
            try await harness.service.setCategories([Self.category], of: harness.app)
            try await harness.service.setPreviews(.never, of: harness.app)
            #expect(try await harness.service.settings(of: harness.app).previews == .never)
            try await show("a", harness)
            #expect(try await harness.post(1).body == "1 visitors")
            try await harness.service.setPreviews(.always, of: harness.app)
            let locker = try await harness.startLocker(isActive: true)
            try await show("b", harness)
            #expect(try await harness.post(2).summary == "b")
            await locker.stop()
        }
    }
}
