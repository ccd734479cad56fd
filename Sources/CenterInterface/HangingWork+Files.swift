package import NotificationModel
package import Reactor

extension HangingWork {
    /// Does work on files, on another thread, because their file system may hang.
    ///
    /// - Throws: `silence` if the work takes longer than `Limits.fileWait`, or if other work of the
    ///   owner hangs; otherwise the error of the work.
    package func files<Value: Sendable>(
        for owner: String, orThrow silence: NotificationError,
        _ work: @escaping @Sendable () throws(NotificationError) -> Value
    ) async throws(NotificationError) -> Value {
        let result = await result(for: owner, within: Limits.fileWait.duration) {
            Result(catching: work)
        }
        guard let result else { throw silence }
        return try result.get()
    }
}
