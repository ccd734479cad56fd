import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// What an app lets through is what a person sees and hears, and what is in the list.
@Suite struct ForegroundTests {
    @Test(arguments: Hosting.allCases)
    func nothingIsNeitherShownNorListed(_ hosting: Hosting) async throws {
        try await asking(hosting) { harness in
            try await harness.add("hidden", answering: [])
            try await harness.add("shown", answering: .all)
            #expect(try await harness.post(1).summary == "shown")
            try await harness.lists("shown")
        }
    }

    @Test(arguments: Hosting.allCases)
    func theListAloneIsNoPopupOnAServerWithoutAQuietList(_ hosting: Hosting) async throws {
        try await asking(hosting) { harness in
            try await harness.add("listed", answering: .list)
            try await harness.add("shown", answering: [.banner, .list])
            #expect(try await harness.post(1).summary == "shown")
            try await harness.lists("listed", "shown")
        }
    }

    @Test(arguments: Hosting.allCases)
    func theListAloneTakesAFormerPopupAway(_ hosting: Hosting) async throws {
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
    func theListAloneIsOfLowUrgencyWhereTheServerListsItQuietly(_ hosting: Hosting) async throws {
        try await asking(hosting, script: .gnome46) { harness in
            try await harness.add("listed", answering: .list)
            #expect(try await harness.post(1).hints["urgency"] == .byte(0))
            try await harness.lists("listed")
        }
    }

    @Test(arguments: Hosting.allCases)
    func whatMayNotSoundSuppressesTheSound(_ hosting: Hosting) async throws {
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

    /// Waits until nothing is on its way and exactly these are in the list.
    fileprivate func lists(_ identifiers: String...) async throws {
        try await center.settled { pending, delivered in
            pending.isEmpty && delivered.map(\.request.identifier).sorted() == identifiers.sorted()
        }
    }
}
