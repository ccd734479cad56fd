internal import NotificationModel

// Every public call comes through here: in order, pipelined, its error translated at the edge.
extension UNUserNotificationCenter {
    typealias Connected = ServiceConnection.Connected

    /// Calls the service; a program that ends waits for a call that stores, never for one that asks
    /// the user or reads.
    func perform<Value: Sendable>(
        stores: Bool,
        _ work: @escaping @Sendable (Connected) async throws(NotificationError) -> Value,
        completion: @escaping @Sendable (Result<Value, NotificationError>) -> Void
    ) {
        connection.take(
            .call { result in completion(await result.asyncMap(work)) }, stores: stores)
    }

    /// Stores what can report nothing: a failure goes to standard error.
    func store(
        _ purpose: String,
        _ work: @escaping @Sendable (Connected) async throws(NotificationError) -> Void
    ) {
        perform(stores: true, work) { result in
            if case .failure(let error) = result { Self.note("\(purpose): \(error.message)") }
        }
    }

    /// Reads for a handler.
    func get<Value: Sendable>(
        _ read: Read<Value>, completion: @escaping @Sendable (Value) -> Void
    ) {
        perform(stores: false, read.work) { [handlers] result in
            handlers.run { completion(read.value(of: result)) }
        }
    }

    /// Reads for a task.
    func get<Value: Sendable>(_ read: Read<Value>) async -> Value {
        await withCheckedContinuation { continuation in
            perform(stores: false, read.work) { continuation.resume(returning: read.value(of: $0)) }
        }
    }

    static func note(_ message: String) {
        let line = Data("UserNotifications: \(message)\n".utf8)
        try? FileHandle.standardError.write(contentsOf: line)
    }
}

/// A read, which has no way to report a failure but an empty value and a line on standard error.
struct Read<Value: Sendable>: Sendable {
    var purpose: String
    var empty: Value
    var work: @Sendable (ServiceConnection.Connected) async throws(NotificationError) -> Value

    init(
        _ purpose: String, otherwise empty: Value,
        _ work:
            @escaping @Sendable (ServiceConnection.Connected) async throws(NotificationError)
            -> Value
    ) {
        self.purpose = purpose
        self.empty = empty
        self.work = work
    }

    fileprivate func value(of result: Result<Value, NotificationError>) -> Value {
        switch result {
        case .success(let value):
            return value
        case .failure(let error):
            UNUserNotificationCenter.note("\(purpose): \(error.message)")
            return empty
        }
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
