import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The centre records why a notification was not shown, in both hosting modes.
@Suite(.timeLimit(.minutes(5))) struct RecordTests {
    /// Waits until the app has no pending delivery, and returns its records.
    private static func records(
        _ harness: ServiceHarness, _ identifiers: [String]? = nil
    ) async throws -> [NotificationRecord] {
        try await harness.service.waitUntilIdle(harness.app, includingPopups: false)
        return try await harness.service.records(of: harness.app, identifiers: identifiers)
    }

    @Test(arguments: Hosting.allCases)
    func `a post that the server refuses is recorded with its error`(
        _ hosting: Hosting
    ) async throws {
        var script = ServerScript()
        script.failures = .next(1, "org.freedesktop.DBus.Error.InvalidArgs")
        try await ServiceHarness.run(hosting, script: script) { harness in
            try await harness.center.add("bad", title: "Bad")
            try await harness.center.add("good")
            let records = try await Self.records(harness)
            #expect(records.map(\.identifier) == ["bad"])
            #expect(records.map(\.reason) == [.refused])
            #expect(records.map(\.title) == ["Bad"])
            #expect(records.first?.app == harness.app)
            #expect(records.first?.message.contains("InvalidArgs") == true)
            #expect(try await harness.service.delivered(of: harness.app).count == 1)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a due request of a denied app is recorded as denied`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            // Without a server the due request waits, so the decision cannot come too late.
            await harness.server.stop()
            try await harness.center.add("tea")
            let due = try await harness.service.pending(of: harness.app).first?.nextFire
            try await harness.service.decide(.deny, for: harness.app)
            try await harness.server.start()
            let records = try await Self.records(harness)
            #expect(records.map(\.reason) == [.denied])
            let told = try #require(records.first?.due)
            #expect(abs(told.microseconds - (due?.microseconds ?? 0)) < 1_000_000)
            #expect(records.first?.message.contains("was not allowed to notify") == true)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the record of a skipped date is kept when its request is removed`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let rule = NotificationTrigger.rule(NotificationRule("every day at 03:00"))
            try await harness.center.add("pills", trigger: rule)
            try await harness.center.add("other", trigger: rule)
            let first = try await harness.service.skip("pills", of: harness.app)
            _ = try await harness.service.skip("other", of: harness.app)
            let second = try await harness.service.skip("pills", of: harness.app)
            try await harness.service.removePending(.all, of: harness.app)
            let records = try await Self.records(harness, ["pills"])
            #expect(records.map(\.due) == [second.skipped, first.skipped])
            #expect(records.allSatisfy { $0.reason == .skipped })
            #expect(try await harness.service.records(of: nil).count == 3)
        }
    }
}
