import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A click belongs to the popup that the user saw, even while a new popup is to replace it.
@Suite(.timeLimit(.minutes(2))) struct ReplacementTests {
    /// How the server delays the replacement: it answers with an error, or it does not answer.
    enum Delay: String, CaseIterable, Sendable {
        case duplicate
        case full
        case noReply
        /// The server does not answer, and a click does not close the popup.
        case noReplyOrClose

        var isRefusal: Bool { self == .duplicate || self == .full }
    }

    @Test(arguments: Hosting.allCases, Delay.allCases)
    func `while a replacement waits, a click is a response to the old content`(
        _ hosting: Hosting, _ delay: Delay
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let server = harness.server
            try await harness.center.connect()
            try await harness.center.add("news", title: "old")
            let old = try await harness.post(1).id
            try await harness.center.settled { $1.count == 1 }
            await server.change { $0.delay(delay) }
            try await harness.center.add("news", title: "new")
            _ = try await harness.post(2)
            // The server may already show the replacement under the same id. Until the server
            // answers, the engine cannot tell the two popups apart.
            try await server.click(old, "default")
            let first = try await harness.center.response(1)
            #expect(first.notification.request.content.title == "old")
            await server.release()
            await server.change { $0.failures = .none }
            let new = try await server.calls.first("the replacement", within: 60) {
                $0.summary == "new" && $0.id != 0
            }
            // The click closed the old popup, so the second try after a refusal replaces nothing.
            #expect(new.replacesID == (delay.isRefusal ? 0 : old))
            try await harness.center.settled { pending, delivered in
                pending.isEmpty && delivered.map(\.request.content.title) == ["new"]
            }
            // With `noReply`, the click has closed the popup, which already showed "new".
            if delay != .noReply {
                try await server.click(new.id, "default")
                let second = try await harness.center.response(2)
                #expect(second.notification.request.content.title == "new")
                try await harness.center.settled { $0.isEmpty && $1.isEmpty }
            }
            let shown = server.calls.all.filter { $0.id != 0 }
            #expect(shown.map(\.summary) == ["old", "new"])
        }
    }

    /// If the old popup stayed on the screen, the user could still click it.
    @Test(arguments: Hosting.allCases)
    func `a request without a text closes the popup that it replaces`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add("news", title: "old")
            let old = try await harness.post(1).id
            try await harness.center.settled { $1.count == 1 }
            try await harness.center.add("news", title: "") { $0.body = "" }
            #expect(try await harness.server.closings.first(1) == [old])
            try await harness.center.settled { $0.isEmpty && $1.isEmpty }
            #expect(harness.server.calls.all.count == 1, "no empty popup is shown")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `removing a delivered notification keeps its waiting replacement`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add("news", title: "old")
            let old = try await harness.post(1).id
            try await harness.center.settled { $1.count == 1 }
            await harness.server.change { $0.replies = .held }
            try await harness.center.add("news", title: "new")
            #expect(try await harness.post(2).replacesID == old)
            try await harness.service.removeDelivered(
                .identifiers(["news"]), of: harness.app)
            await harness.server.release()
            try await harness.center.settled { pending, delivered in
                pending.isEmpty && delivered.map(\.request.content.title) == ["new"]
            }
            #expect(await harness.server.shown.values.map(\.summary) == ["new"])
            #expect(harness.server.closings.all.isEmpty)
        }
    }
}

extension ServerScript {
    fileprivate mutating func delay(_ delay: ReplacementTests.Delay) {
        switch delay {
        case .duplicate:
            failures = .all(
                "org.freedesktop.Notifications.Error.ExcessNotificationGeneration")
        case .full: failures = .all("org.freedesktop.Notifications.MaxNotificationsExceeded")
        case .noReply: replies = .held
        case .noReplyOrClose: (replies, actionCloses) = (.held, false)
        }
    }
}
