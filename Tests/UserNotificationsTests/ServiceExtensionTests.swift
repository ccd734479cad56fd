import NotificationModel
import ScriptedService
import Testing

@testable import UserNotifications

/// The app's `UNNotificationServiceExtension`, from the service's question to its answer.
@Suite struct ServiceExtensionTests {
    /// As Xcode's template has it, waiting for the end of its time.
    private final class BestAttempt: UNNotificationServiceExtension {
        var contentHandler: ((UNNotificationContent) -> Void)?
        var bestAttemptContent: UNMutableNotificationContent?
        private let onBegin: @Sendable () -> Void

        init(onBegin: @escaping @Sendable () -> Void) {
            self.onBegin = onBegin
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            self.contentHandler = contentHandler
            bestAttemptContent =
                request.content.mutableCopy() as? UNMutableNotificationContent
            bestAttemptContent?.title = "attempt"
            onBegin()
        }

        override func serviceExtensionTimeWillExpire() {
            if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
        }
    }

    private final class Twice: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            for title in ["first", "second"] {
                let content = UNMutableNotificationContent()
                content.title = title
                contentHandler(content)
            }
        }
    }

    private final class Unusable: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let content = UNMutableNotificationContent()
            content.userInfo = ["object": NSObject()]
            contentHandler(content)
        }
    }

    private static let token = ExtensionToken(rawValue: 7)
    private static var request: NotificationRequest {
        NotificationRequest(
            identifier: "p", content: NotificationContent(title: "original"), trigger: .push)
    }

    private func answers(
        of test: TestCenter, _ count: Int
    ) async -> [(ExtensionToken, NotificationContent?)] {
        await test.service.calls { $0.compactMap(\.answer).count >= count }.compactMap(\.answer)
    }

    private func begin(
        _ make: (@Sendable () -> UNNotificationServiceExtension)?
    ) async -> TestCenter {
        let test = TestCenter()
        test.center.serviceExtension = make
        _ = await test.center.pendingNotificationRequests()
        await test.service.send(.extend(Self.token, Self.request, of: .tocsin))
        return test
    }

    @Test func itIsAnnouncedAndItsFirstContentIsGiven() async {
        let test = await begin { Twice() }
        let (token, content) = await answers(of: test, 1)[0]
        #expect(token == Self.token)
        #expect(content?.title == "first")
        await test.center.flush()
        let calls = await test.service.calls
        #expect(calls.contains(.setExtends(true)))
        #expect(calls.compactMap(\.answer).count == 1)
    }

    @Test func atTheEndOfItsTimeItMayGiveWhatItHas() async {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let test = await begin { BestAttempt { continuation.finish() } }
        for await _ in begun {}
        await test.service.send(.extensionWillExpire(Self.token))
        let (_, content) = await answers(of: test, 1)[0]
        #expect(content?.title == "attempt")
    }

    @Test func withoutOverridesOrWithContentThatCannotBeKeptTheOriginalStays() async {
        let plain = await begin { UNNotificationServiceExtension() }
        #expect(await answers(of: plain, 1)[0].1?.title == "original")
        let unusable = await begin { Unusable() }
        #expect(await answers(of: unusable, 1)[0].1 == nil)
        let none = await begin(nil)
        #expect(await answers(of: none, 1)[0].1 == nil)
    }

    @Test func aPushOfTheAppsOwnReachesTheService() async throws {
        let test = TestCenter()
        let payload = Data(#"{"aps":{"alert":"x"}}"#.utf8)
        #expect(try await test.center.push(payload, collapseIdentifier: "c") == "c")
        #expect(
            await test.service.calls.last
                == .push(Array(payload), PushHeaders(collapseIdentifier: "c"), .tocsin))
        await test.service.fail(NotificationError(.invalidArgument, "It is no JSON."))
        await #expect(throws: UNServiceError(.invalidArgument, "It is no JSON.")) {
            try await test.center.push(payload)
        }
    }
}

extension ScriptedService.Call {
    fileprivate var answer: (ExtensionToken, NotificationContent?)? {
        guard case .finishExtension(let token, let content) = self else { return nil }
        return (token, content)
    }
}
