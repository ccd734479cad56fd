package import NotificationModel
internal import Synchronization

/// Starts no app, records the orders, and ends each start by script.
package final class RecordingLauncher: ApplicationLauncher {
    /// How a start ends.
    package enum Answer: Sendable {
        /// The app was started.
        case started
        /// Nothing is known that could start it.
        case impossible
        /// Starting it failed.
        case failure(String)
        /// It never ends.
        case hold
    }

    /// The launch orders, in the order received.
    package let orders = Recording<LaunchOrder>()
    private let answer: Mutex<Answer>

    package init(_ answer: Answer = .started) {
        self.answer = Mutex(answer)
    }

    /// Decides how each start ends from now on.
    package func answers(_ answer: Answer) {
        self.answer.withLock { $0 = answer }
    }

    package func launch(_ order: LaunchOrder) async throws(NotificationError) -> Bool {
        orders.append(order)
        switch answer.withLock({ $0 }) {
        case .started: return true
        case .impossible: return false
        case .failure(let message): throw NotificationError(.protocolViolation, message)
        case .hold:
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return true
        }
    }
}
