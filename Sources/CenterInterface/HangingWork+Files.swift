package import NotificationModel
package import Reactor

extension HangingWork {
    /// Does work on files; throws `silence` where their file system does not answer in time.
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
