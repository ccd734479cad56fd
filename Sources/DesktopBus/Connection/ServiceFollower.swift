internal import Reactor

/// Whether a well-known name can be called.
public enum ServiceAvailability: Hashable, Sendable {
    /// The name has an owner, which has this unique name.
    case running(BusName)
    /// No connection owns the name, and the bus can start its owner.
    case startable
    /// No connection owns the name, and the bus can start no owner.
    case absent
}

extension BusConnection {
    /// Returns whether a name can be called now.
    ///
    /// - Throws: The error of the call to the bus, such as `disconnected`.
    public func availability(of name: BusName) async throws(BusError) -> ServiceAvailability {
        if let owner = try await owner(of: name) { return .running(owner) }
        return try await isActivatable(name) ? .startable : .absent
    }
}

/// Follows a service by its well-known name: who owns the name, and whether the bus can start the
/// service.
///
/// It owns two subscriptions and the pause after a failed start. It promises to report each change
/// on the reactor's thread, and changes of owner in the order in which the bus reports them. Only
/// `start` starts the service. Its methods run on the reactor's thread.
public actor ServiceFollower {
    /// Receives the new availability; nil while the bus is asked or the service is being started.
    public typealias Handler = @Sendable (ServiceAvailability?) -> Void

    private let name: BusName
    private let connection: BusConnection
    private let backoff: Backoff
    private var handler: Handler = { _ in }
    private var subscriptions: [BusSubscription] = []
    private var owner: BusName?
    private var availability: ServiceAvailability?
    /// Counts the changes, so that the answer of the bus is dropped if a change came before it.
    private var changes = 0
    private var failures = 0
    private var retry: Deadline?

    /// The reactor, as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        connection.reactor.asUnownedSerialExecutor()
    }

    /// Makes a follower whose pauses are the shortest that `backoff` allows.
    ///
    /// The pauses have no random part, because only one user's programs wait for the service.
    public init(_ name: BusName, on connection: BusConnection, backoff: Backoff) {
        self.name = name
        self.connection = connection
        self.backoff = backoff
    }

    /// Begins to follow, and reports the present state of the service.
    ///
    /// The follower outlives a loss of the bus. When the bus is back, call `refresh`.
    ///
    /// - Throws: `disconnected` if the connection is neither open nor reconnecting, or the bus's
    ///   error.
    public func follow(_ handler: @escaping Handler) async throws(BusError) {
        self.handler = handler
        let installations = MatchRule(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus",
            member: "ActivatableServicesChanged")
        let installed = try await connection.subscribe(installations) { [weak self] _ in
            self?.assumeIsolated { $0.refresh() }
        }
        let owned = try await connection.watchOwner(of: name) { [weak self] owner in
            self?.assumeIsolated { $0.ownerChanged(to: owner) }
        }
        subscriptions = [installed, owned]
    }

    /// Asks again whether the bus can start the service.
    ///
    /// The method does nothing while the service runs or starts, or while the bus is being asked.
    public func refresh() {
        guard owner == nil, availability != nil else { return }
        change(to: nil)
        checkActivatable()
    }

    /// Makes the bus start the service; if the name gets no owner, the start has failed.
    public func start(timeout: Duration) {
        change(to: nil)
        Task { [changes] in
            do throws(BusError) {
                try await connection.startService(name, timeout: timeout)
                // If the service started, the bus reported its owner before this answer, and
                // `changes` has grown.
                _ = try await connection.owner(of: name)
            } catch {
                // The service cannot start here (it has no display, for example).
            }
            guard changes == self.changes else { return }
            startFailed()
        }
    }

    /// Reports the service as absent after a failed start.
    ///
    /// The follower asks the bus again when the owner changes, when services are installed, or
    /// after a pause. The pause doubles with each failure, up to half of `backoff.longest`.
    ///
    /// If the name still has its owner after the pause, the follower reports the service as
    /// running.
    public func startFailed() {
        let pause = backoff.pause(afterFailures: failures, fraction: 0)
        failures += 1
        change(to: .absent, retryAfter: pause)
    }

    /// Resets the count of failures, because the service did its work.
    public func startSucceeded() {
        failures = 0
    }

    /// Treats the name as if it had no owner.
    ///
    /// A failed call can show the end of the service before the bus reports that end.
    public func ownerLost() {
        ownerChanged(to: nil)
    }

    private func ownerChanged(to owner: BusName?) {
        guard self.owner == nil || self.owner != owner else { return }
        self.owner = owner
        change(to: owner.map { .running($0) })
        // The handler may have called `startFailed`, which sets an availability.
        if availability == nil { checkActivatable() }
    }

    private func checkActivatable() {
        Task { [changes] in
            let isActivatable = (try? await connection.isActivatable(name)) ?? false
            guard changes == self.changes else { return }
            change(to: isActivatable ? .startable : .absent)
        }
    }

    private func change(to availability: ServiceAvailability?, retryAfter pause: Duration? = nil) {
        changes += 1
        retry?.cancel()
        retry = pause.map { pause in
            connection.reactor.deadline(after: pause) { [weak self] in
                self?.assumeIsolated { $0.pauseEnded() }
            }
        }
        self.availability = availability
        handler(availability)
    }

    private func pauseEnded() {
        guard let owner else { return refresh() }
        change(to: .running(owner))
    }
}
