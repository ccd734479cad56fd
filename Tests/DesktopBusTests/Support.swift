import DesktopBus
import Foundation
import Reactor
import TestSupport
import Testing

/// Opens a connection with its own reactor.
func connect(
    _ bus: PrivateBus, _ options: BusConnectionOptions = .init()
) async throws -> BusConnection {
    let connection = BusConnection(
        address: bus.address, reactor: Reactor.started("test"), options: options)
    try await connection.open()
    return connection
}

extension MethodCall {
    static func toBus(_ member: MemberName, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: member, arguments: arguments)
    }

    /// A call of the object that these tests export.
    static func toPeer(
        _ destination: BusName, _ member: MemberName, _ arguments: [BusValue] = [],
        flags: MethodCallFlags = []
    ) -> MethodCall {
        MethodCall(
            destination: destination, path: "/test/Object", interface: "test.Interface",
            member: member, arguments: arguments, flags: flags)
    }
}

/// Returns the `BusError` that a closure throws, or nil; another error is an issue of the test.
func busError(of body: () async throws -> Void) async -> BusError? {
    do {
        try await body()
    } catch let error as BusError {
        return error
    } catch {
        Issue.record(error)
    }
    return nil
}

/// Collects values as they arrive, for tasks that wait for them.
final class Inbox<Value: Sendable>: Sendable {
    private let recording = Recording<Value>()

    var values: [Value] { recording.all }

    func append(_ value: Value) {
        recording.append(value)
    }

    /// Returns when the last value satisfies the condition.
    func last(_ what: String, where matches: @escaping @Sendable (Value) -> Bool) async throws {
        try await recording.wait(for: what) { $0.last.map(matches) ?? false }
    }

    /// Returns when there are `count` values; after the deadline, records an issue and returns all.
    func wait(for count: Int) async -> [Value] {
        do {
            return try await recording.wait(for: "\(count) values") { $0.count >= count }
        } catch {
            Issue.record(error)
            return values
        }
    }
}

/// A gate that holds an answer back until the test opens it.
actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func waitUntilOpen() async {
        if isOpen { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
