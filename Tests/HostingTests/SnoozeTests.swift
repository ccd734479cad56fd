import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Snoozed notifications, and requests that one call adds, in both hosting modes.
@Suite(.timeLimit(.minutes(5))) struct SnoozeTests {
    @Test(arguments: Hosting.allCases)
    func `a snoozed notification leaves the screen and comes again with its buttons`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect()
            try await harness.service.setCategories(
                [
                    NotificationCategory(
                        identifier: "tea",
                        actions: [NotificationAction(identifier: "pour", title: "Pour")])
                ], of: harness.app)
            try await harness.center.add("tea") { $0.categoryIdentifier = "tea" }
            let first = try await harness.post(1)
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            _ = try await harness.service.snooze("tea", of: harness.app, for: 0.2)
            try await harness.server.closings.wait(for: "the close") { $0 == [first.id] }
            let again = try await harness.post(2)
            #expect(again.summary == "tea" && again.replacesID == 0)
            #expect(again.actions == first.actions)
            try await harness.server.click(again.id, again.actions[0].key)
            #expect(try await harness.center.response(1).action == .custom("pour"))
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a snooze button works while its app is not connected, and watchers get the press`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let heard = Recording<ServiceChange>()
            _ = try await harness.service.watch(nil) { heard.append($0) }
            try await harness.service.setCategories(
                [
                    NotificationCategory(
                        identifier: "tea",
                        actions: [
                            NotificationAction(identifier: "later", title: "Later", snooze: 0.2),
                            NotificationAction(identifier: "pour", title: "Pour"),
                        ])
                ], of: harness.app)
            try await harness.center.add("tea") { $0.categoryIdentifier = "tea" }
            let first = try await harness.post(1)
            try await harness.server.click(first.id, "action.later")
            let key = NotificationKey(app: harness.app, identifier: "tea")
            try await heard.first("the press") { $0 == .answer(key, .custom("later")) }
            let again = try await harness.post(2)
            #expect(again.actions == first.actions)
            try await harness.server.click(again.id, "action.pour")
            try await harness.center.connect()
            // The press is no response, so this is the app's first response.
            #expect(try await harness.center.response(1).action == .custom("pour"))
            #expect(try await harness.service.pending(of: harness.app).isEmpty)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a snooze button with an impossible time is refused`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            for seconds in [0, -1, Double.infinity] {
                let action = NotificationAction(identifier: "a", title: "A", snooze: seconds)
                let error = await #expect(throws: NotificationError.self) {
                    try await harness.service.setCategories(
                        [NotificationCategory(identifier: "c", actions: [action])], of: harness.app)
                }
                #expect(error?.code == .invalidArgument)
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a snooze postpones a pending request, and is refused for an unknown request`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            // The beginning of the year 2100.
            let before = Instant(microseconds: 4_102_444_800_000_000)
            try await harness.center.add("far", trigger: .at(before))
            let date = try await harness.service.snooze("far", of: harness.app, for: 60)
            #expect(date == before.adding(microseconds: 60_000_000))
            let after = try await harness.service.pending(of: harness.app)[0].nextFire
            #expect(after == date)
            let error = await #expect(throws: NotificationError.self) {
                try await harness.service.snooze("nowhere", of: harness.app, for: 60)
            }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `requests that are added together are all stored or all refused`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            func request(_ identifier: String, _ seconds: Double) -> RequestWithFiles {
                RequestWithFiles(
                    NotificationRequest(
                        identifier: identifier, content: NotificationContent(title: identifier),
                        trigger: .interval(seconds: seconds, repeats: false)))
            }
            let good = (0..<500).map { request("r\($0)", 1_000 + Double($0)) }
            let error = await #expect(throws: NotificationError.self) {
                try await harness.service.add(good + [request("bad", -1)], for: harness.app)
            }
            #expect(error?.message.contains("Request 501 of 501") == true)
            #expect(try await harness.service.pending(of: harness.app).isEmpty)
            try await harness.service.add(good, for: harness.app)
            let list = try await harness.service.pending(of: harness.app)
            #expect(list.map(\.request.identifier) == (0..<500).map { "r\($0)" })
        }
    }
}
