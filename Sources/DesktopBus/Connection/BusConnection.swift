internal import CDesktopBus
public import Reactor

/// A connection to a message bus.
///
/// It runs on its reactor: socket, deadlines, handlers of signals and the start of every
/// exported method share one thread, in order. Every method may be called from any thread.
///
///     let bus = BusConnection(address: try .session(environment: environment), reactor: try Reactor())
///     try await bus.open()
///     let reply = try await bus.call(
///         MethodCall(
///             destination: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
///             interface: "org.freedesktop.Notifications", member: "GetCapabilities"))
public actor BusConnection: ReactorActor {
    /// The thread this connection runs on.
    public nonisolated let reactor: Reactor
    /// Where the bus is.
    public nonisolated let address: BusAddress
    /// How the connection behaves.
    public nonisolated let options: BusConnectionOptions

    enum Phase: Equatable {
        /// Never opened, or lost without reconnecting.
        case idle
        case connecting
        case open(BusName)
        /// Lost; the next attempt has a deadline.
        case waiting
        case closed
    }

    /// Hears of the opening.
    ///
    /// A list of bare closures would have its type made at run time, which takes 0.1 ms of a
    /// program that only sends one message.
    struct OpenWaiter {
        let tell: (Result<Void, BusError>) -> Void
    }

    var phase = Phase.idle
    var wire: Wire?
    /// Counts attempts to connect, so that a late one is recognised.
    var attempt: UInt64 = 0
    var failures = 0
    var attemptDeadline: Deadline?
    var openWaiters: [OpenWaiter] = []
    var calls: [UInt32: PendingCall] = [:]
    var flushWaiters: [() -> Void] = []
    var stateHandlers: [@Sendable (BusConnectionState) -> Void] = []
    /// By the text of their rules: the runtime looks among all conformances of the program for how a
    /// type is hashed, 0.1 ms of a program that only sends one message.
    var matches: [String: Match] = [:]
    var subscriptions: [Subscription] = []
    var owners: [BusName: TrackedOwner] = [:]
    var names: [BusName: OwnedName] = [:]
    /// The well-known names that were called, and those of them that are followed for it.
    var calledNames: Set<BusName> = []
    var followedNames: Set<BusName> = []
    /// The objects of ours, by their paths.
    var exports: [String: ExportedObject] = [:]
    var invocations = InvocationTable()
    var callOrder = CallOrder()
    /// The user who runs the bus, as the kernel knows it and not as the bus says.
    ///
    /// Nil before the first connection, and for a bus at the other end of a network.
    public internal(set) var peerUserID: UInt32?
    /// The callers whose calls take long, and who are heard when they leave the bus.
    var callers: [BusName: FollowedCaller] = [:]
    var followDeadline: Deadline?
    /// Whether the bus refused to tell when a caller leaves.
    var mustFollowAgain = false

    /// Makes a connection; nothing happens before `open()`.
    public init(
        address: BusAddress, reactor: Reactor, options: BusConnectionOptions = .init()
    ) {
        // Messages are built on the callers' threads. It must precede every other use of libdbus, whatever
        // the program linked before us did; calling it again is free.
        dbus_threads_init_default()
        self.address = address
        self.reactor = reactor
        self.options = options
    }

    // Not `isolated`: in 6.3 an actor with such a deinit breaks its clients' release builds
    // ("circular reference"). A deadline left behind finds no connection and does nothing.
    deinit {
        guard let wire else { return }
        reactor.perform { wire.close() }
    }

    /// The name the bus gave this connection; nil while it is not open.
    public var uniqueName: BusName? {
        if case .open(let name) = phase { name } else { nil }
    }

    /// Connects, authenticates and says Hello; returns at once if that is done already.
    ///
    /// A failure leaves the connection as it was before; it may be opened again.
    public func open() async throws(BusError) {
        try await waiting(beginOpening)
    }

    /// Waits for the result of work that tells it on the reactor's thread.
    func waiting(
        _ begin: (@escaping (Result<Void, BusError>) -> Void) -> Void
    ) async throws(BusError) {
        let end = Promise<Result<Void, BusError>>()
        begin { end.give($0) }
        try await end.value().get()
    }

    /// Connects without waiting until the bus has said Hello: calls go out right behind ours, and
    /// fail with the error of the opening where that fails.
    ///
    /// For a program that makes one call and ends: it waits for the bus once instead of twice.
    /// Files can be sent when `open()` has returned. Without `connectsOnReactor` the same as that.
    public func openAhead() async throws(BusError) {
        guard options.connectsOnReactor else { return try await open() }
        var outcome = Result<Void, BusError>.success(())
        beginOpening { outcome = $0 }
        try outcome.get()
    }

    /// Closes the connection for good: what waits fails with `disconnected`, and what the socket
    /// has not taken yet is lost (`flush()` first to keep it).
    public func close() {
        if case .closed = phase { return }
        phase = .closed
        let error = BusError(.disconnected, "The connection to the bus was closed by this program.")
        release(error)
        report(.closed)
        releaseHandlers()
    }

    /// Lets go of everything that hears of this connection, because nothing comes any more: most of
    /// it owns the connection, and neither would end.
    private func releaseHandlers() {
        let former = (subscriptions, owners, names, exports, stateHandlers)
        (subscriptions, owners, names, exports, stateHandlers) = ([], [:], [:], [:], [])
        withExtendedLifetime(former) {}
    }

    /// Calls `handler` on the reactor's thread whenever the connection opens, is lost or closes.
    public func onStateChange(_ handler: @escaping @Sendable (BusConnectionState) -> Void) {
        stateHandlers.append(handler)
    }

    /// Returns when everything sent so far has been written to the socket, or the socket is lost.
    public func flush() async {
        guard wire?.hasUnsent == true else { return }
        let end = Promise<Void>()
        flushWaiters.append { end.give(()) }
        await end.value()
    }

    func report(_ state: BusConnectionState) {
        for handler in stateHandlers { handler(state) }
    }
}
