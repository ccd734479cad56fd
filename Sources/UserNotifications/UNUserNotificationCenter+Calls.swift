internal import NotificationModel

// Every public call comes through here: in order, pipelined, its error translated at the edge.
extension UNUserNotificationCenter {
    typealias Connected = ServiceConnection.Connected

    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Connected) async throws(NotificationError) -> Value,
        completion: @escaping @Sendable (Result<Value, NotificationError>) -> Void
    ) {
        connection.take(.call { result in completion(await result.asyncMap(work)) })
    }

    /// For calls that can report nothing: the failure goes to standard error.
    func perform(
        _ purpose: String,
        _ work: @escaping @Sendable (Connected) async throws(NotificationError) -> Void
    ) {
        perform(work) { result in
            if case .failure(let error) = result { Self.note("\(purpose): \(error.message)") }
        }
    }

    /// For reads that can report nothing: a failure is an empty answer and a line on standard
    /// error.
    func read<Value: Sendable>(
        _ purpose: String, otherwise empty: Value,
        _ work: @escaping @Sendable (Connected) async throws(NotificationError) -> Value,
        completion: @escaping @Sendable (Value) -> Void
    ) {
        perform(work) { result in
            switch result {
            case .success(let value): completion(value)
            case .failure(let error):
                Self.note("\(purpose): \(error.message)")
                completion(empty)
            }
        }
    }

    private static func note(_ message: String) {
        let line = Data("UserNotifications: \(message)\n".utf8)
        try? FileHandle.standardError.write(contentsOf: line)
    }
}

extension Result where Failure == NotificationError, Success: Sendable {
    func asyncMap<Value>(
        _ work: (Success) async throws(NotificationError) -> Value
    ) async -> Result<Value, NotificationError> {
        do {
            return .success(try await work(try get()))
        } catch {
            return .failure(error)
        }
    }
}
