/// An actor that runs on a reactor's thread.
public protocol ReactorActor: Actor {
    /// The reactor, which is the actor's executor.
    nonisolated var reactor: Reactor { get }
}

extension ReactorActor {
    /// The reactor, as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    /// Runs work on the actor: at once if the caller is on the actor's thread, otherwise in the
    /// order of the calls.
    public nonisolated func onReactor(_ work: @escaping @Sendable (isolated Self) -> Void) {
        reactor.performHere { self.assumeIsolated { work($0) } }
    }

    /// Runs work on the actor once, after this duration of CLOCK_MONOTONIC.
    ///
    /// The deadline does not keep the actor alive; if the actor is gone by then, nothing runs.
    @discardableResult
    public func deadline(
        after duration: Duration, _ work: @escaping @Sendable (isolated Self) -> Void
    ) -> Deadline {
        reactor.deadline(after: duration) { [weak self] in self?.assumeIsolated { work($0) } }
    }

    /// Waits for this duration of CLOCK_MONOTONIC.
    public func pause(_ duration: Duration) async {
        let end = Promise<Void>()
        reactor.deadline(after: duration) { end.fulfill(()) }
        await end.value()
    }
}
