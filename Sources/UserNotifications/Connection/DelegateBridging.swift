internal import Synchronization

/// Lets a delegate implement either form of a method: with a completion handler, or `async`.
///
/// The default implementation of each form adds its delegate and method to `active`, and calls the
/// other form. If a default implementation finds them in `active` already, the delegate implements
/// neither form.
struct DelegateBridging: Hashable, Sendable {
    enum Method: Hashable, Sendable {
        case willPresent
        case didReceive
    }

    /// Finds out whether a delegate implements neither form of `willPresent`.
    ///
    /// The delegate may forward the call to another delegate. A report about the other delegate is
    /// ignored.
    final class Probe: Sendable {
        private let object: ObjectIdentifier
        private let isMissing = Atomic(false)

        init(of object: ObjectIdentifier) {
            self.object = object
        }

        var foundNothing: Bool { isMissing.load(ordering: .acquiring) }

        func reportMissing(in object: ObjectIdentifier) {
            if object == self.object { isMissing.store(true, ordering: .releasing) }
        }
    }

    /// A call of a delegate's method `didReceive`.
    final class Call: Sendable {
        private let isAwaited = Atomic(false)

        /// Whether the `async` form handles the response; its work may go on after the call
        /// returns.
        var isAsynchronous: Bool { isAwaited.load(ordering: .acquiring) }

        func awaitAsynchronousForm() { isAwaited.store(true, ordering: .releasing) }
    }

    @TaskLocal static var call: Call?
    @TaskLocal static var active: Set<DelegateBridging> = []
    @TaskLocal static var probe: Probe?

    var object: ObjectIdentifier
    var method: Method

    var isActive: Bool { Self.active.contains(self) }

    /// The value of `active` during the call of the other form.
    var extended: Set<DelegateBridging> { Self.active.union([self]) }

    func reportMissing() {
        Self.probe?.reportMissing(in: object)
    }
}

extension DelegateBridging {
    /// Runs work on the main actor, with the task-local values of the caller.
    static func onMainActor(_ work: @escaping @Sendable @MainActor () -> Void) {
        Task.immediate { @MainActor in work() }
    }
}
