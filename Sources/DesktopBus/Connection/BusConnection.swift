internal import CDesktopBus
public import Reactor

/// A connection to a message bus.
///
/// It owns the socket, the waiting calls, the subscriptions, the names and the exports.
///
/// It promises to run on its reactor: signal handlers and exported methods start on the reactor's
/// thread, in the order of the messages. After a loss of the bus, it restores subscriptions, names
/// and exports. It never repeats a call.
///
///     let bus = BusConnection(
///         address: try .session(environment: environment), reactor: try Reactor())
///     try await bus.open()
///     let reply = try await bus.call(
///         MethodCall(
///             destination: "org.freedesktop.Notifications",
///             path: "/org/freedesktop/Notifications",
///             interface: "org.freedesktop.Notifications", member: "GetCapabilities"))
public actor BusConnection: ReactorActor {
    /// The reactor that runs the connection.
    public nonisolated let reactor: Reactor
    /// The address of the bus.
    public nonisolated let address: BusAddress
    /// How the connection behaves.
    public nonisolated let options: BusConnectionOptions

    enum Phase: Equatable {
        /// The connection was never opened, or was lost and does not reconnect.
        case idle
        case connecting
        case open(BusName)
        /// The connection was lost; a timer will start the next attempt to connect.
        case waiting
        case closed
    }

    /// The callback for one caller of `open()`.
    ///
    /// A struct wraps the closure, because the runtime would need 0.1 ms to make the type of a list
    /// of closures. This time matters in a program that only sends one message.
    struct OpenWaiter {
        let tell: (Result<Void, BusError>) -> Void
    }

    var phase = Phase.idle
    var wire: Wire?
    /// Counts attempts to connect, so that the late result of an earlier attempt is recognised.
    var attempt: UInt64 = 0
    var failures = 0
    var attemptDeadline: Deadline?
    /// The attempt that waits for connect(2).
    var connectAttempt: ConnectAttempt?
    var openWaiters: [OpenWaiter] = []
    var calls: [UInt32: PendingCall] = [:]
    var flushWaiters: [() -> Void] = []
    var stateHandlers: [@Sendable (BusConnectionState) -> Void] = []
    /// The match rules, by their texts.
    ///
    /// The keys are `String`, because for a key type of our own the runtime would search all
    /// protocol conformances of the program. The search would take 0.1 ms, which matters in a
    /// program that only sends one message.
    var matches: [String: Match] = [:]
    var subscriptions: [Subscription] = []
    var owners: [BusName: TrackedOwner] = [:]
    var names: [BusName: OwnedName] = [:]
    var calledNames: Set<BusName> = []
    var followedNames: Set<BusName> = []
    var exports: [String: ExportedObject] = [:]
    var invocations = InvocationTable()
    var callOrder = CallOrder()
    /// The id of the user who runs the bus; it comes from the kernel, not from the bus.
    ///
    /// The id is nil before the first connection, and if the bus is reached over a network.
    public internal(set) var peerUserID: UInt32?
    /// The callers with unfinished long calls; if a caller leaves the bus, its calls are cancelled.
    var callers: [BusName: FollowedCaller] = [:]
    var followDeadline: Deadline?
    /// Whether an attempt to follow a caller has failed and must be repeated.
    var mustFollowAgain = false

    /// Makes a connection; nothing happens before `open()`.
    public init(
        address: BusAddress, reactor: Reactor, options: BusConnectionOptions = .init()
    ) {
        // Several threads build messages, so libdbus needs its locks before the first message.
        // Another library of this process may have set up the locks; a repeated call costs nothing.
        dbus_threads_init_default()
        self.address = address
        self.reactor = reactor
        self.options = options
    }

    // The deinit is not `isolated`: Swift 6.3 would fail to build clients of this actor in release
    // mode ("circular reference"). A deadline that outlives the connection does nothing.
    deinit {
        guard let wire else { return }
        reactor.perform { wire.close() }
    }

    /// The name that the bus gave this connection; nil while the connection is not open.
    public var uniqueName: BusName? {
        if case .open(let name) = phase { name } else { nil }
    }

    /// Connects, authenticates and says Hello; returns at once if the connection is open.
    ///
    /// If `open()` fails, it may be called again.
    ///
    /// - Throws: `connectionFailed` if no bus answers in time; `unexpectedType` if the other end is
    ///   no message bus; `disconnected` after `close()`; `system` if no thread can start; or the
    ///   bus's error.
    public func open() async throws(BusError) {
        try await waiting(beginOpening)
    }

    func waiting(
        _ begin: (@escaping (Result<Void, BusError>) -> Void) -> Void
    ) async throws(BusError) {
        let end = Promise<Result<Void, BusError>>()
        begin { end.fulfill($0) }
        try await end.value().get()
    }

    /// Connects without waiting for the answer to Hello.
    ///
    /// Calls are sent right after Hello, so a program that makes only one call waits for the bus
    /// once, not twice. If the connection does not open, the calls fail with the error of `open()`.
    /// Descriptors can be sent only after the bus has answered.
    ///
    /// Without `connectsOnReactor`, this method does the same as `open()`.
    ///
    /// - Throws: The errors of `open()` that are known before the bus answers Hello.
    public func openAhead() async throws(BusError) {
        guard options.connectsOnReactor else { return try await open() }
        var outcome = Result<Void, BusError>.success(())
        beginOpening { outcome = $0 }
        try outcome.get()
    }

    /// Closes the connection for good.
    ///
    /// Every waiting call fails with `disconnected`, and so does a waiting `open()`. Unsent data is
    /// lost; to send it first, wait for `flush()`.
    public func close() {
        if case .closed = phase { return }
        phase = .closed
        let error = BusError(.disconnected, "The connection to the bus was closed by this program.")
        release(error)
        report(.closed)
        releaseHandlers()
    }

    /// Releases every handler: most handlers refer to the connection, so the handlers and the
    /// connection would otherwise keep each other alive.
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
    ///
    /// With a `limit`, the method returns after that time at the latest.
    public func flush(within limit: Duration? = nil) async {
        guard wire?.hasUnsent == true else { return }
        let end = Promise<Void>()
        flushWaiters.append { end.fulfill(()) }
        if let limit { reactor.deadline(after: limit) { end.fulfill(()) } }
        await end.value()
    }

    func report(_ state: BusConnectionState) {
        for handler in stateHandlers { handler(state) }
    }
}
