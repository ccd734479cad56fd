internal import NotificationModel
internal import Reactor

// Every public call passes through these functions. They keep the order of the calls, do not wait
// for earlier calls to end, and translate errors.
extension UNUserNotificationCenter {
    /// The work of one call; it runs after the connection has reached the service.
    typealias Work<Value> =
        nonisolated(nonsending) @Sendable (ServiceConnection.Connected)
        async
        throws(NotificationError) -> Value

    /// Calls the service; `stores` marks a call that changes the store.
    ///
    /// An exiting program waits only for calls that change the store.
    func perform<Value: Sendable>(
        stores: Bool, _ work: @escaping Work<Value>,
        completion: @escaping @Sendable (Result<Value, NotificationError>) -> Void
    ) {
        connection.enqueue(
            .call { result in
                do throws(NotificationError) {
                    completion(.success(try await work(try result.get())))
                } catch {
                    completion(.failure(error))
                }
            }, stores: stores)
    }

    @discardableResult
    func call<Value: Sendable>(
        stores: Bool = true, _ work: @escaping Work<Value>
    ) async throws -> Value {
        let result = Promise<Result<Value, NotificationError>>()
        perform(stores: stores, work) { result.fulfill($0) }
        return try await result.value().mapError(\.asUserNotificationsError).get()
    }

    /// Calls the service, and then the handler.
    ///
    /// If `inOrder` is true, the handler runs after the handlers of earlier calls with `inOrder`.
    func call<Value: Sendable>(
        stores: Bool = true, inOrder: Bool = false, _ work: @escaping Work<Value>,
        handler: @escaping @Sendable (Value?, (any Error)?) -> Void
    ) {
        let ticket = inOrder ? handlers.ticket() : nil
        perform(stores: stores, work) { [handlers] result in
            handlers.run(ticket) {
                switch result {
                case .success(let value): handler(value, nil)
                case .failure(let error): handler(nil, error.asUserNotificationsError)
                }
            }
        }
    }

    /// Stores a change for a caller that gets no error; a failure is written to standard error.
    func store(_ purpose: String, _ work: @escaping Work<Void>) {
        perform(stores: true, work) { result in
            if case .failure(let error) = result { Self.logMessage("\(purpose): \(error.message)") }
        }
    }

    func get<Value: Sendable>(
        _ read: Read<Value>, completion: @escaping @Sendable (Value) -> Void
    ) {
        perform(stores: false, read.work) { [handlers] result in
            handlers.run { completion(read.value(of: result)) }
        }
    }

    func get<Value: Sendable>(_ read: Read<Value>) async -> Value {
        let result = Promise<Value>()
        perform(stores: false, read.work) { result.fulfill(read.value(of: $0)) }
        return await result.value()
    }

    static func logMessage(_ message: String) {
        let line = Data("UserNotifications: \(message)\n".utf8)
        try? FileHandle.standardError.write(contentsOf: line)
    }
}

/// A call that reads a value; if it fails, the result is `empty`, and standard error gets a line.
struct Read<Value: Sendable>: Sendable {
    var purpose: String
    var empty: Value
    var work: UNUserNotificationCenter.Work<Value>

    fileprivate func value(of result: Result<Value, NotificationError>) -> Value {
        switch result {
        case .success(let value):
            return value
        case .failure(let error):
            UNUserNotificationCenter.logMessage("\(purpose): \(error.message)")
            return empty
        }
    }
}
