import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// While an app is in front, its answer decides on the popup, the sound and the list entry.
@Suite(.timeLimit(.minutes(5))) struct ForegroundTests {
    @Test(arguments: Hosting.allCases)
    func `an empty answer neither shows nor lists the notification`(_ hosting: Hosting) async throws
    {
        try await asking(hosting) { harness in
            try await harness.add("hidden", answering: [])
            try await harness.add("shown", answering: .all)
            #expect(try await harness.post(1).summary == "shown")
            try await harness.lists("shown")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the option .sound alone neither shows nor lists the notification`(
        _ hosting: Hosting
    ) async throws {
        try await asking(hosting, script: .gnome46) { harness in
            try await harness.add("heard", answering: .sound)
            try await harness.add("shown", answering: .all)
            #expect(try await harness.post(1).summary == "shown")
            try await harness.lists("shown")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the option .list alone shows no popup on a server without a list of its own`(
        _ hosting: Hosting
    ) async throws {
        try await asking(hosting) { harness in
            try await harness.add("listed", answering: .list)
            try await harness.add("shown", answering: [.banner, .list])
            #expect(try await harness.post(1).summary == "shown")
            try await harness.lists("listed", "shown")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the option .list alone closes the popup of the replaced notification`(
        _ hosting: Hosting
    ) async throws {
        try await asking(hosting) { harness in
            try await harness.add("news", answering: .all)
            let id = try await harness.post(1).id
            try await harness.lists("news")
            try await harness.add("news", answering: .list)
            try await harness.server.closings.first("the end of the popup") { $0 == id }
            try await harness.lists("news")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the option .list alone means low urgency on a server with a list of its own`(
        _ hosting: Hosting
    ) async throws {
        try await asking(hosting, script: .gnome46) { harness in
            try await harness.add("listed", answering: .list)
            #expect(try await harness.post(1).hints["urgency"] == .byte(0))
            try await harness.lists("listed")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `an answer without the option .sound suppresses the sound`(_ hosting: Hosting) async throws
    {
        try await asking(hosting, script: .gnome46) { harness in
            try await harness.add("silent", answering: [.banner, .list])
            let silent = try await harness.post(1)
            #expect(silent.hints["suppress-sound"] == .bool(true))
            #expect(silent.hints["sound-name"] == nil)
            try await harness.add("loud", answering: [.banner, .sound])
            let loud = try await harness.post(2)
            #expect(loud.hints["suppress-sound"] == nil)
            #expect(loud.hints["sound-name"] != nil)
        }
    }

    /// Without `.list`, neither the delivered list nor GNOME's own list keeps the notification.
    @Test(arguments: Hosting.allCases)
    func `a notification with only a banner leaves the list when its popup closes`(
        _ hosting: Hosting
    ) async throws {
        try await asking(hosting, script: .gnome46) { harness in
            try await harness.add("banner", answering: [.banner])
            let popup = try await harness.post(1)
            #expect(popup.hints["transient"] == .bool(true))
            try await harness.lists("banner")
            try await harness.add("both", answering: [.banner, .list])
            #expect(try await harness.post(2).hints["transient"] == nil)
            try await harness.lists("banner", "both")
            try await harness.server.close(popup.id, reason: 1)
            try await harness.server.close(try await harness.post(2).id, reason: 1)
            try await harness.lists("both")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a notification with only a banner leaves the list when its server leaves`(
        _ hosting: Hosting
    ) async throws {
        try await asking(hosting) { harness in
            try await harness.add("banner", answering: [.banner])
            try await harness.add("both", answering: .all)
            try await harness.lists("banner", "both")
            await harness.server.stop()
            try await harness.lists("both")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a click on a notification with only a banner reaches its app`(
        _ hosting: Hosting
    ) async throws {
        try await asking(hosting) { harness in
            try await harness.add("banner", answering: [.banner])
            try await harness.lists("banner")
            try await harness.server.click(try await harness.post(1).id, "default")
            let response = try await harness.center.response(1)
            #expect(response.notification.request.identifier == "banner")
            try await harness.lists()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a notification about which its app does not answer is listed without a banner`(
        _ hosting: Hosting
    ) async throws {
        try await asking(hosting, script: .gnome46) { harness in
            try await harness.center.add("quiet") { $0.sound = NotificationSound(.standard) }
            _ = try await harness.center.question(1)
            let post = try await harness.post(1)
            #expect(post.hints["urgency"] == .byte(0), "GNOME shows no banner of low urgency")
            #expect(post.hints["suppress-sound"] == .bool(true))
            try await harness.lists("quiet")
        }
    }

    private func asking(
        _ hosting: Hosting, script: ServerScript = ServerScript(),
        _ body: @Sendable (ServiceHarness) async throws -> Void
    ) async throws {
        try await ServiceHarness.run(hosting, script: script) { harness in
            try await harness.center.connect(asking: true)
            try await body(harness)
        }
    }
}

extension ServiceHarness {
    /// Adds a notification with a sound and answers the question about it.
    fileprivate func add(_ identifier: String, answering options: PresentationOptions) async throws
    {
        let asked = center.events.all.count
        try await center.add(identifier) { $0.sound = NotificationSound(.standard) }
        let question = try await center.question(asked + 1)
        #expect(question.notification.request.identifier == identifier)
        await service.answer(question.token, with: options)
    }

    /// Waits until no notification is pending and the list holds exactly these identifiers.
    fileprivate func lists(_ identifiers: String...) async throws {
        try await center.settled { pending, delivered in
            pending.isEmpty && delivered.map(\.request.identifier).sorted() == identifiers.sorted()
        }
    }
}
