internal import Dispatch
internal import NotificationModel
internal import Reactor

/// Runs the app's service extension, one object for each pushed notification.
///
/// Extensions run on separate threads, as on Apple's platforms, because a download may block. While
/// `didReceive` still runs, `serviceExtensionTimeWillExpire` may run on another thread.
final class ExtensionCaller: Sendable {
    /// One notification that an extension works on.
    private struct Work {
        /// Distinguishes this work from other work: two daemons may send the same token.
        var number: UInt64
        /// Nil until the object is made.
        var object: UNNotificationServiceExtension?
        /// Whether the time is over; the time may end before the object is made.
        var isLate = false
    }

    /// Gives the service the changed content, or nil to show the original content.
    typealias Finish =
        @Sendable (ExtensionToken, ApplicationID, UNNotificationContent?) -> Void

    private struct State {
        var make: (@Sendable () -> UNNotificationServiceExtension)?
        var work: [ExtensionToken: Work] = [:]
        var lastNumber: UInt64 = 0

        /// Removes and returns the work; nil if it is over, or if the token now has other work.
        mutating func removeWork(_ token: ExtensionToken, _ number: UInt64) -> Work? {
            work[token]?.number == number ? work.removeValue(forKey: token) : nil
        }
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(
        label: "UserNotifications.extension", attributes: .concurrent)

    var make: (@Sendable () -> UNNotificationServiceExtension)? {
        get { state.withLock { $0.make } }
        set { state.withLock { $0.make = newValue } }
    }

    func beginExtension(
        _ token: ExtensionToken, _ request: NotificationRequest, of app: ApplicationID,
        finish: @escaping Finish
    ) {
        guard let make else { return finish(token, app, nil) }
        let number = state.withLock { state in
            state.lastNumber += 1
            state.work[token] = Work(number: state.lastNumber)
            return state.lastNumber
        }
        queue.async { [self] in
            let object = make()
            // The work may be over, or the token may have other work by now.
            let isCurrent = state.withLock { state in
                guard state.work[token]?.number == number else { return false }
                state.work[token]?.object = object
                return true
            }
            object.didReceive(UNNotificationRequest(request)) { [self] content in
                // Ignore every content after the first.
                guard state.withLock({ $0.removeWork(token, number) }) != nil else { return }
                finish(token, app, content)
            }
            // Report the end of the time, perhaps for the second time. The first report may have
            // come before the object was made, or before the extension had stored the handler.
            let isLate = state.withLock { state in
                guard let work = state.work[token], work.number == number else { return !isCurrent }
                return work.isLate
            }
            if isLate { object.serviceExtensionTimeWillExpire() }
        }
    }

    /// Tells an extension that its time is over; the extension may still deliver its best attempt.
    func expire(_ token: ExtensionToken) {
        guard let number = state.withLock({ $0.work[token]?.number }) else { return }
        queue.async { [self] in
            let object = state.withLock { state -> UNNotificationServiceExtension? in
                guard state.work[token]?.number == number else { return nil }
                state.work[token]?.isLate = true
                return state.work[token]?.object
            }
            object?.serviceExtensionTimeWillExpire()
        }
        // After ten seconds the service has shown the original content, and needs no result.
        queue.asyncAfter(deadline: .now() + 10) { [self] in
            _ = state.withLock { $0.removeWork(token, number) }
        }
    }
}
