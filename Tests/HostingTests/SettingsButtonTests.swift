import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A button in a popup that opens the app's own settings; only some servers draw this button.
@Suite(.timeLimit(.minutes(5))) struct SettingsButtonTests {
    @Test(arguments: Hosting.allCases)
    func `a click on the settings button reaches the app and keeps the popup`(
        _ hosting: Hosting
    ) async throws {
        var script = ServerScript.plasma64
        script.actionCloses = false
        script.repeatInterval = nil
        try await ServiceHarness.run(hosting, script: script) { harness in
            try await harness.ask([.alert, .providesAppNotificationSettings])
            try await harness.center.add("news")
            let post = try await harness.post(2)
            #expect(post.actions.map(\.key) == ["settings", "default"])
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            try await harness.server.click(post.id, "settings")
            let events = try await harness.center.events.wait(for: "the way to the settings") {
                $0.contains { $0.settings != nil }
            }
            #expect(events.compactMap(\.settings).map(\.request.identifier) == ["news"])
            // The press is no response, so the popup can still be answered.
            try await harness.server.click(post.id, "default")
            #expect(try await harness.center.response(1).action == .standard)
        }
    }

    @Test func `the settings button starts an app that has quit, and the app opens its settings`()
        async throws
    {
        var script = ServerScript.plasma64
        script.actionCloses = false
        script.repeatInterval = nil
        try await LaunchStage.run(script: script) { stage in
            let center = try await stage.center()
            #expect(
                try await center.service.requestAuthorization(
                    [.alert, .providesAppNotificationSettings], for: center.app))
            let post = try await stage.schedule()
            try await stage.server.click(post.id, "settings")
            try await stage.report("the settings") { $0.count >= 2 }
            #expect(
                stage.lines.all == [
                    "start token token-\(post.id) words  for -", "settings for probe",
                ])
            #expect(try await center.service.status().responseCount == 0)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `only apps with settings get the settings button, and only if the server draws it`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting, script: .plasma64) { harness in
            try await harness.ask([.alert])
            try await harness.center.add("news")
            #expect(try await harness.post(2).actions.map(\.key) == ["default"])
        }
        try await ServiceHarness.run(hosting) { harness in
            try await harness.ask([.alert, .providesAppNotificationSettings])
            try await harness.center.add("news")
            #expect(try await harness.post(2).actions.map(\.key) == ["default"])
        }
    }
}

extension ServiceHarness {
    /// Asks for permission and allows it.
    fileprivate func ask(_ options: Permission.Options) async throws {
        try await center.connect(needsPermission: true)
        async let isGranted = service.requestAuthorization(options, for: app)
        let question = try await post(1)
        try await server.click(question.id, question.actions[0].key)
        #expect(try await isGranted)
    }
}

extension ServiceEvent {
    fileprivate var settings: DeliveredNotification? {
        guard case .openSettings(let notification) = self else { return nil }
        return notification
    }
}
