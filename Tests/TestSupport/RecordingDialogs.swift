package import NotificationModel
internal import Synchronization

/// Dialogs that a test answers.
package final class RecordingDialogs: DialogPresenter {
    private let open = Mutex<[CheckedContinuation<Result<DialogAnswer, NotificationError>, Never>]>(
        [])
    /// The dialogs that the engine asked for, in order.
    package let asked = Recording<Dialog>()
    /// The dialogs that the engine closed before an answer.
    package let closed = Recording<Dialog>()

    package init() {}

    package func answer(to dialog: Dialog) async throws(NotificationError) -> DialogAnswer {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                open.withLock { $0.append(continuation) }
                asked.append(dialog)
            }
        } onCancel: {
            closed.append(dialog)
            answer(.success(.closed))
        }
        return try result.get()
    }

    /// Answers the dialog that has waited longest.
    package func answer(_ result: Result<DialogAnswer, NotificationError>) {
        open.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.resume(returning: result)
    }
}
