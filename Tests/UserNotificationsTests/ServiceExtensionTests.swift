import CenterInterface
import Dispatch
import NotificationModel
import ScriptedService
import TestSupport
import Testing
import UserNotifications

/// The app's `UNNotificationServiceExtension`, from the service's question to the extension's
/// answer.
@Suite(.timeLimit(.minutes(2))) struct ServiceExtensionTests {
    /// An extension as in Xcode's template; it answers at the end of its time.
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

    /// An extension that stores its handler only after the end of its time.
    private final class SlowStart: UNNotificationServiceExtension {
        private var contentHandler: ((UNNotificationContent) -> Void)?
        private let expired = DispatchSemaphore(value: 0)
        private let onBegin: @Sendable () -> Void

        init(onBegin: @escaping @Sendable () -> Void) {
            self.onBegin = onBegin
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            onBegin()
            expired.wait()
            self.contentHandler = contentHandler
        }

        override func serviceExtensionTimeWillExpire() {
            let handler = contentHandler
            expired.signal()
            let content = UNMutableNotificationContent()
            content.title = "attempt"
            handler?(content)
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

    /// An extension that downloads until the test lets it end, and records its start and its end.
    private final class Download: UNNotificationServiceExtension {
        private let gates: [String: DispatchSemaphore]
        private let steps: Recording<String>

        init(_ gates: [String: DispatchSemaphore], _ steps: Recording<String>) {
            self.gates = gates
            self.steps = steps
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            steps.append("\(request.identifier) begins")
            gates[request.identifier]?.wait()
            contentHandler(request.content)
            steps.append("\(request.identifier) ends")
        }
    }

    private static let token = ExtensionToken(rawValue: 7)
    private static var request: NotificationRequest {
        NotificationRequest(
            identifier: "p", content: NotificationContent(title: "original"), trigger: .push)
    }

    private func answers(
        of test: TestCenter, _ count: Int
    ) async throws -> [(token: ExtensionToken, content: NotificationContent?)] {
        try await test.service.inputs(of: Members.finishExtension) { $0.count >= count }
            .map { ($0.1, $0.2) }
    }

    private func beginExtension(
        _ make: (@Sendable () -> UNNotificationServiceExtension)?
    ) async -> TestCenter {
        let test = TestCenter()
        test.center.serviceExtension = make
        _ = await test.center.pendingNotificationRequests()
        await test.service.send(.extend(Self.token, Self.request, of: .tocsin))
        return test
    }

    @Test func `an app announces its extension, and the service gets only the first content`()
        async throws
    {
        let test = await beginExtension { Twice() }
        let (token, content) = try await answers(of: test, 1)[0]
        #expect(token == Self.token)
        #expect(content?.title == "first")
        await test.center.flush()
        #expect(test.service.inputs(of: Members.connect).last?.sessionOptions.extendsPushes == true)
        #expect(test.service.inputs(of: Members.finishExtension).count == 1)
    }

    @Test func `an extension at the end of its time may give its current content`() async throws {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let test = await beginExtension { BestAttempt { continuation.finish() } }
        for await _ in begun {}
        await test.service.send(.extensionWillExpire(Self.token))
        let (_, content) = try await answers(of: test, 1)[0]
        #expect(content?.title == "attempt")
    }

    /// Each daemon numbers its own questions, so questions of two daemons may have the same token.
    @Test func `an extension's content for an old daemon's question is not sent to the new daemon`()
        async throws
    {
        let gates = ["old": DispatchSemaphore(value: 0), "new": DispatchSemaphore(value: 0)]
        let steps = Recording<String>()
        let test = await beginExtension(nil)
        _ = try await answers(of: test, 1)
        test.center.serviceExtension = { Download(gates, steps) }
        for name in ["old", "new"] {
            let request = NotificationRequest(
                identifier: name, content: NotificationContent(title: name), trigger: .push)
            await test.service.send(.extend(Self.token, request, of: .tocsin))
            try await steps.first("the download") { $0 == "\(name) begins" }
        }
        gates["old"]?.signal()
        try await steps.first("the old end") { $0 == "old ends" }
        gates["new"]?.signal()
        #expect(try await answers(of: test, 2)[1].content?.title == "new")
        await test.center.flush()
        #expect(test.service.inputs(of: Members.finishExtension).count == 2)
    }

    @Test
    func `the end of its time is reported again to an extension that stores its handler late`()
        async throws
    {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let test = await beginExtension { SlowStart { continuation.finish() } }
        for await _ in begun {}
        await test.service.send(.extensionWillExpire(Self.token))
        let (_, content) = try await answers(of: test, 1)[0]
        #expect(content?.title == "attempt")
    }

    @Test func `a missing or empty extension and unusable content do not change the notification`()
        async throws
    {
        let plain = await beginExtension { UNNotificationServiceExtension() }
        #expect(try await answers(of: plain, 1)[0].content?.title == "original")
        let unusable = await beginExtension { Unusable() }
        #expect(try await answers(of: unusable, 1)[0].content == nil)
        let none = await beginExtension(nil)
        #expect(try await answers(of: none, 1)[0].content == nil)
    }

    @Test func `a push from the app itself reaches the service`() async throws {
        let test = TestCenter()
        let payload = Data(#"{"aps":{"alert":"x"}}"#.utf8)
        await test.service.script(Members.push) { $0.2.collapseIdentifier }
        #expect(try await test.center.push(payload, collapseIdentifier: "c") == "c")
        let pushed = try #require(test.service.inputs(of: Members.push).last)
        #expect(pushed == (.tocsin, Array(payload), PushHeaders(collapseIdentifier: "c")))
        let error = NotificationError(.invalidArgument, "It is no JSON.")
        await test.service.fail(Members.push, with: error)
        await #expect(throws: UNServiceError(.invalidArgument, "It is no JSON.")) {
            try await test.center.push(payload)
        }
    }
}
