package import NotificationModel
internal import Synchronization

/// Dialogs that a test answers.
package final class RecordingDialogs: DialogPresenter {
    private typealias Answer = Result<DialogAnswer, NotificationError>

    private struct State {
        var lastNumber = 0
        /// The dialogs without an answer, by number.
        var open: [Int: CheckedContinuation<Answer, Never>] = [:]
    }

    private let state = Mutex(State())
    /// The dialogs that the engine asked for, in order.
    package let asked = Recording<Dialog>()
    /// The dialogs that the engine closed before an answer.
    package let closed = Recording<Dialog>()

    package init() {}

    package func answer(to dialog: Dialog) async throws(NotificationError) -> DialogAnswer {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.open[number] = continuation }
                asked.append(dialog)
                // If the cancellation came first, the handler below found no dialog.
                if Task.isCancelled { close(dialog, number) }
            }
        } onCancel: {
            close(dialog, number)
        }
        return try result.get()
    }

    /// Answers the dialog that has waited longest.
    package func answer(_ result: Result<DialogAnswer, NotificationError>) {
        let first = state.withLock { state in
            state.open.keys.min().flatMap { state.open.removeValue(forKey: $0) }
        }
        first?.resume(returning: result)
    }

    private func close(_ dialog: Dialog, _ number: Int) {
        guard let open = state.withLock({ $0.open.removeValue(forKey: number) }) else { return }
        closed.append(dialog)
        open.resume(returning: .success(.closed))
    }
}
