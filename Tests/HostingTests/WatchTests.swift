import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The changes that a watcher receives, in both hosting modes.
@Suite(.timeLimit(.minutes(5))) struct WatchTests {
    @Test(arguments: Hosting.allCases)
    func `a watcher gets one signal for a call with a thousand requests, and one for a response`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let heard = Recording<ServiceChange>()
            let session = try await harness.service.watch(nil) { heard.append($0) }
            let items = (0..<1_000).map { number in
                RequestWithFiles(
                    NotificationRequest(
                        identifier: "r\(number)", content: NotificationContent(title: "later"),
                        trigger: .interval(seconds: 10_000, repeats: false)))
            }
            try await harness.service.add(items, for: harness.app)
            try await heard.first("the lists") { $0 == .lists(harness.app, .pending) }
            // The engine reports apps in the order of their identifiers, and `later` is the last.
            // So a second signal for the thousand requests would come before that of `later`.
            let later = try ApplicationID("org.tocsin.Watched")
            try await harness.service.add(items[0].request, attachments: [], for: later)
            try await heard.first("the other app's list") { $0 == .lists(later, .pending) }
            #expect(heard.all == [.lists(harness.app, .pending), .lists(later, .pending)])
            try await harness.center.add("now")
            let post = try await harness.post(1)
            try await heard.first("a delivery") {
                guard case .lists(harness.app, let lists) = $0 else { return false }
                return lists.contains(.delivered)
            }
            try await harness.server.click(post.id, "default")
            let key = NotificationKey(app: harness.app, identifier: "now")
            try await heard.first("the answer") { $0 == .answer(key, .standard) }
            // The app also gets the response.
            try await harness.center.connect()
            #expect(try await harness.center.response(1).notification.key == key)
            #expect(heard.all.count { $0 == .answer(key, .standard) } == 1)
            await harness.service.unwatch(session)
        }
    }
}
