import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ResponseTests {
    @Test(arguments: Hosting.allCases)
    func `a click on a button reaches the app with the userInfo`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.connectAndShowTea()
            let post = try await harness.post(1)
            #expect(post.actions.map(\.label).prefix(2) == ["Drink", "Pour away"])
            try await harness.server.click(post.id, post.actions[0].key)
            let response = try await harness.center.response(1)
            #expect(response.action == .custom("drink"))
            #expect(
                response.notification.request.content.userInfo == [
                    "cup": .integer(1), "when": .date(Instant(microseconds: 7)),
                ])
            try await harness.center.settled { _, delivered in delivered.isEmpty }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a click on the body is the default action, and a close is the dismiss action`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.connectAndShowTea()
            try await harness.server.click(try await harness.post(1).id, "default")
            #expect(try await harness.center.response(1).action == .standard)
            try await harness.showTea()
            try await harness.server.close(try await harness.post(2).id, reason: 2)
            #expect(try await harness.center.response(2).action == .dismiss)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a signal that the server sends twice gives one response`(_ hosting: Hosting) async throws
    {
        var script = ServerScript()
        script.signalCopies = 2
        try await ServiceHarness.run(hosting, script: script) { harness in
            try await harness.connectAndShowTea()
            let post = try await harness.post(1)
            try await harness.server.click(post.id, post.actions[0].key)
            _ = try await harness.center.response(1)
            try await harness.showTea()
            let second = try await harness.post(2)
            try await harness.server.click(second.id, second.actions[1].key)
            #expect(try await harness.center.response(2).action == .custom("pour"))
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a response is kept until it is acknowledged`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let session = try await harness.connectAndShowTea()
            try await harness.server.click(try await harness.post(1).id, "default")
            let first = try await harness.center.response(1)
            await harness.service.disconnect(session)
            let again = try await harness.center.connect()
            let second = try await harness.center.response(2)
            #expect(first.id == second.id)
            try await harness.service.acknowledge(second.id, of: harness.app)
            await harness.service.disconnect(again)
            #expect(try await harness.service.status().responseCount == 0)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a response waits for an app that is not connected`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let session = try await harness.connectAndShowTea()
            let post = try await harness.post(1)
            await harness.service.disconnect(session)
            try await harness.server.click(post.id, post.actions[0].key)
            try await harness.center.settled { _, delivered in delivered.isEmpty }
            #expect(harness.center.events.all.isEmpty)
            try await harness.center.connect()
            #expect(try await harness.center.response(1).action == .custom("drink"))
        }
    }

    /// A process without a delegate must not take a response from the app's older process.
    @Test(arguments: Hosting.allCases)
    func `a newer process of an app gets responses only after it has set a delegate`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let session = try await harness.connectAndShowTea()
            // The daemon merges the sessions of one connection, so the newer process needs its own.
            let service =
                hosting == .daemon
                ? try await HostedService.client(on: harness.bus) : harness.service
            let heard = Recording<String>()
            let helper = try await service.connect(
                ApplicationIdentity(id: harness.app, name: "Test App"),
                asksBeforePresenting: false, handlesResponses: false, identifiers: nil
            ) { event in
                if case .response(let response) = event {
                    heard.append(response.notification.request.identifier)
                }
            }
            try await harness.server.click(try await harness.post(1).id, "default")
            let response = try await harness.center.response(1)
            try await harness.service.acknowledge(response.id, of: harness.app)
            try await harness.center.add("next")
            let next = try await harness.post(2)
            await harness.service.disconnect(session)
            try await harness.server.click(next.id, "default")
            try await harness.center.settled { _, delivered in delivered.isEmpty }
            #expect(heard.all.isEmpty)
            await service.setAsksBeforePresenting(false, handlesResponses: true, in: helper)
            #expect(try await heard.first(1) == ["next"])
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a caller that waits for one request's response gets no other response`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let callers: [(String, Set<String>?)] = [("one", ["mine"]), ("all", nil)]
            // Both callers write to one recording, so a response that both of them get appears
            // twice.
            let heard = Recording<String>()
            for (caller, identifiers) in callers {
                _ = try await harness.service.connect(
                    ApplicationIdentity(id: harness.app, name: "Test App"),
                    asksBeforePresenting: false, identifiers: identifiers
                ) { event in
                    guard case .response(let response) = event else {
                        return heard.append("\(caller): \(event)")
                    }
                    heard.append("\(caller): \(response.notification.request.identifier)")
                }
            }
            for (index, name) in ["other", "mine", "last"].enumerated() {
                try await harness.center.add(name)
                try await harness.server.click(try await harness.post(index + 1).id, "default")
                try await heard.first(index + 1)
            }
            #expect(heard.all == ["all: other", "one: mine", "all: last"])
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a caller that waits for one request's response gets no close of another popup`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let mine = Recording<ServiceEvent>()
            _ = try await harness.service.connect(
                ApplicationIdentity(id: harness.app, name: "Test App"),
                asksBeforePresenting: false, identifiers: ["mine"]
            ) { mine.append($0) }
            for (index, name) in ["other", "mine"].enumerated() {
                try await harness.center.add(name)
                let post = try await harness.post(index + 1)
                try await harness.server.close(post.id, reason: 1)
            }
            let heard = try await mine.first(1)
            guard case .popupLeft(let key) = heard[0] else { throw HarnessError("\(heard)") }
            #expect(key == NotificationKey(app: harness.app, identifier: "mine"))
            #expect(try await harness.service.delivered(of: harness.app).count == 2)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a notification is listed without a popup if its app does not answer in three seconds`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect(asking: true)
            try await harness.center.add("late") { $0.sound = NotificationSound(.standard) }
            let late = try await harness.center.question(1)
            try await harness.service.waitUntilIdle(harness.app, includingPopups: false)
            let delivered = try await harness.service.delivered(of: harness.app)
            #expect(delivered.map(\.request.identifier) == ["late"])
            // An answer after the timeout changes nothing.
            await harness.service.answer(late.token, with: .all)
            try await harness.center.add("next")
            await harness.service.answer(try await harness.center.question(2).token, with: .all)
            #expect(try await harness.post(1).summary == "next")
        }
    }
}

extension ServiceHarness {
    /// Connects, and shows a notification with two buttons and user info.
    @discardableResult
    fileprivate func connectAndShowTea() async throws -> ServiceSession {
        let session = try await center.connect()
        try await showTea()
        return session
    }

    fileprivate func showTea() async throws {
        try await service.setCategories(
            [
                NotificationCategory(
                    identifier: "tea",
                    actions: [
                        NotificationAction(identifier: "drink", title: "Drink"),
                        NotificationAction(
                            identifier: "pour", title: "Pour away", options: .destructive),
                    ], options: .customDismissAction)
            ], of: app)
        try await center.add("tea") { content in
            content.categoryIdentifier = "tea"
            content.userInfo = ["cup": .integer(1), "when": .date(Instant(microseconds: 7))]
        }
    }
}
