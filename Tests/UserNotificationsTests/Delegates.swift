import Synchronization
import Testing
import UserNotifications

/// Lines that any thread may append.
final class Log: Sendable {
    private let storage = Mutex<[String]>([])

    var lines: [String] { storage.withLock { $0 } }

    func append(_ line: String) { storage.withLock { $0.append(line) } }
}

/// Implements no method.
final class Silent: NSObject, UNUserNotificationCenterDelegate {}

final class CompletionOnly: NSObject, UNUserNotificationCenterDelegate {
    let log = Log()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Swift.Void
    ) {
        MainActor.assertIsolated()
        log.append("willPresent \(notification.request.identifier) main")
        completionHandler([.banner])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        MainActor.assertIsolated()
        let text = (response as? UNTextInputNotificationResponse).map { " '\($0.userText)'" } ?? ""
        log.append("didReceive \(response.actionIdentifier)\(text) main")
        completionHandler()
    }
}

final class AsyncOnly: NSObject, UNUserNotificationCenterDelegate {
    let log = Log()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        log.append("willPresent \(notification.request.identifier)")
        return [.sound]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        log.append("didReceive \(response.actionIdentifier)")
    }
}

@MainActor
final class MainActorMixed: NSObject, UNUserNotificationCenterDelegate {
    var lines: [String] = []

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        lines.append("willPresent \(notification.request.identifier)")
        return [.list, .banner]
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        MainActor.assumeIsolated {
            lines.append("didReceive \(response.actionIdentifier)")
        }
        completionHandler()
    }
}

@MainActor
final class MainActorPreconcurrency: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
    var lines: [String] = []

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        lines.append("willPresent \(notification.request.identifier)")
        completionHandler([.badge])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        lines.append("didReceive \(response.actionIdentifier)")
        completionHandler()
    }
}

/// Forwards everything to another delegate, like libraries that insert themselves.
final class Forwarding: NSObject, UNUserNotificationCenterDelegate {
    private let inner: any UNUserNotificationCenterDelegate

    init(to inner: any UNUserNotificationCenterDelegate) {
        self.inner = inner
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        inner.userNotificationCenter(
            center, willPresent: notification, withCompletionHandler: completionHandler)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        inner.userNotificationCenter(
            center, didReceive: response, withCompletionHandler: completionHandler)
    }
}

/// Gives its handler to the test.
final class Slow: NSObject, UNUserNotificationCenterDelegate {
    private let handlers = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    private let received = Mutex(0)

    var count: Int { received.withLock { $0 } }

    func waitForHandler() async -> @Sendable () -> Void {
        for await handler in handlers.stream { return handler }
        return {}
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        received.withLock { $0 += 1 }
        handlers.continuation.yield(completionHandler)
    }
}

/// Calls its handler twice.
final class Twice: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.list])
        completionHandler([.banner])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        completionHandler()
        completionHandler()
    }
}
