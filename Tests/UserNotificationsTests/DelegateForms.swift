import UserNotifications

/// `willPresent` in the completion form, and `didReceive` in the async form, without an actor.
final class MixedOne: NSObject, UNUserNotificationCenterDelegate {
    let log = Log()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        log.append("willPresent")
        completionHandler([.list])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        log.append("didReceive")
    }
}

/// `willPresent` in the async form, and `didReceive` in the completion form, without an actor.
final class MixedOther: NSObject, UNUserNotificationCenterDelegate {
    let log = Log()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        log.append("willPresent")
        return [.list]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        log.append("didReceive")
        completionHandler()
    }
}

/// Implements only `didReceive`.
final class ReceivingOnly: NSObject, UNUserNotificationCenterDelegate {
    let log = Log()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        log.append("didReceive")
    }
}

/// Implements only `willPresent`.
final class PresentingOnly: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner]
    }
}

/// A base class for the delegates of apps, as libraries offer it.
class Ancestor: NSObject, UNUserNotificationCenterDelegate {
    let log = Log()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        log.append("ancestor")
        completionHandler([.badge])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        log.append("ancestor \(response.actionIdentifier)")
    }
}

/// Overrides `willPresent`, and inherits `didReceive`.
final class OverridesPresenting: Ancestor {
    override func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        log.append("override")
        completionHandler([.sound])
    }
}

/// Overrides `didReceive`, and calls the inherited method.
final class OverridesReceiving: Ancestor {
    override func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        log.append("override")
        await super.userNotificationCenter(center, didReceive: response)
    }
}

/// A global actor of an app, other than the main actor.
@globalActor
actor Elsewhere {
    static let shared = Elsewhere()
}

/// Isolated to the app's global actor.
@Elsewhere
final class IsolatedElsewhere: NSObject, UNUserNotificationCenterDelegate {
    var lines: [String] = []

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        lines.append("willPresent")
        return [.banner, .sound]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        lines.append("didReceive")
    }

    nonisolated override init() {
        super.init()
    }
}

/// Implements the method for the app's notification settings.
@MainActor
final class WithSettings: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
    private let opened = AsyncStream.makeStream(of: String.self)

    func firstOpened() async -> String? {
        for await identifier in opened.stream { return identifier }
        return nil
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {
        opened.continuation.yield(notification?.request.identifier ?? "none")
    }
}

/// Keeps its answer until the test gives it.
final class Undecided: NSObject, UNUserNotificationCenterDelegate {
    private let handlers = AsyncStream.makeStream(
        of: (@Sendable (UNNotificationPresentationOptions) -> Void).self)

    func handler() async -> @Sendable (UNNotificationPresentationOptions) -> Void {
        for await handler in handlers.stream { return handler }
        return { _ in }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        handlers.continuation.yield(completionHandler)
    }
}
