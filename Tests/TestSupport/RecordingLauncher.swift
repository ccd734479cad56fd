package import NotificationModel
internal import Synchronization

/// A launcher that starts no app, records the requests, and answers each request by script.
package final class RecordingLauncher: ApplicationLauncher {
    /// The scripted answer to a start.
    package enum Answer: Sendable {
        /// The app was started.
        case started
        /// The launcher knows no way to start the app.
        case impossible
        /// The start failed.
        case failure(String)
        /// The launch never returns.
        case hold
    }

    /// The launch requests, in order of arrival.
    package let requests = Recording<LaunchRequest>()
    private let answer: Mutex<Answer>

    package init(_ answer: Answer = .started) {
        self.answer = Mutex(answer)
    }

    /// Sets the answer to each later request.
    package func answers(_ answer: Answer) {
        self.answer.withLock { $0 = answer }
    }

    package func launch(_ request: LaunchRequest) async throws(NotificationError) -> Bool {
        requests.append(request)
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
