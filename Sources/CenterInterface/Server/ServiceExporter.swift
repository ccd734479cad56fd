public import DesktopBus
public import NotificationModel
public import Reactor

/// Offers a notification service on the bus, as `org.tocsin.NotificationCenter1`.
///
/// A sender is a connection of the bus. A sender has one session for each app that it connected,
/// and at most one watch, which reports changes to the sender. Its sessions and its watch end when
/// the sender leaves the bus.
///
/// The calls of one sender begin in the order in which they arrive. Calls wait while the store is
/// being opened. An event goes only to the connection of its session.
public actor ServiceExporter: ReactorActor {
    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    /// The gate of the calls, closed while the store is being opened.
    ///
    /// An open gate has the value nil if calls are served, or the error with which every call is
    /// refused.
    private var readiness: AsyncGate<BusError?>
    /// The service; calls that have begun still use it after `refuseAsEnding()`.
    private(set) var opened: (any NotificationService)?
    private var openingDeadline: Deadline?
    private var waitingCallHandler: (@Sendable () -> Void)?
    /// The deadline after which callers get the address of the bus where the store is served.
    private var referral: Deadline?
    let connection: BusConnection

    var senders: [BusName: ConnectedSender] = [:]
    /// The items that could not be sent, up to a limit; each item is reported only once.
    private var leftOut: Set<NotificationKey> = []
    private var report: Report
    var rightsCache = CallerRightsCache()
    /// Runs the calls that change a sender's sessions or watch one after another, even if a call is
    /// suspended.
    private var changes = KeyedSemaphore<BusName>()
    /// Limits the calls for a page of a list that run at the same time for one app or process.
    ///
    /// A page has up to 1 MiB, so few pages may be made at once. The quota of unfinished calls does
    /// not suffice, because it does not count the bytes of answers.
    var pages = KeyedSemaphore<String>(limit: 8)
    /// Whether new sessions and watches are refused.
    var isStopped = false

    /// How long calls may wait for the store, counted from the first waiting call.
    ///
    /// The limit is shorter than the timeout of a caller.
    private let openingLimit: Duration

    /// How long callers wait for a store that another process has, before they get the address of
    /// that process's bus.
    private static let referralPause: Duration = .milliseconds(600)

    struct ConnectedSender {
        /// The app or process whose quota of sessions this sender uses.
        let owner: String
        var sessions: [ApplicationID: ConnectedApp] = [:]
        /// Whether the service is making another session.
        var isConnecting = false
        var watch: ServiceSession?
        var presence: BusSubscription?
        /// The tokens of the `willPresent` events that this sender has not answered.
        var questions: Set<PresentationToken> = []

        /// The sessions that count for the owner; a sender that only watches counts as one session.
        var count: Int { max(1, sessions.count + (isConnecting ? 1 : 0)) }
    }

    struct ConnectedApp {
        var session: ServiceSession
        var identity: ApplicationIdentity
        var sessionOptions: ApplicationIntroduction.SessionOptions
    }

    package typealias Inspection =
        nonisolated(nonsending) @Sendable (BusName) async -> CallerRights?

    /// Asks the user whether an app may notify, unless the user has decided already.
    public typealias Requirement =
        nonisolated(nonsending) @Sendable (ApplicationID) async throws(NotificationError) -> Void

    let inspect: Inspection
    private(set) var requirePermission: Requirement
    let files: HangingWork

    /// Records why an item of an app could not be sent.
    public typealias Report = @Sendable (NotificationKey, NotificationError) async -> Void

    /// Makes an exporter; nothing is on the bus before `start()`.
    ///
    /// Without a service, calls wait for `serve(_:)` or `refuse(_:)`.
    public init(service: (any NotificationService)? = nil, connection: BusConnection) {
        let inspection = CallerInspection(connection: connection)
        self.init(service: service, connection: connection) {
            await inspection.rights(of: $0)
        }
    }

    package init(
        service: (any NotificationService)?, connection: BusConnection,
        openingLimit: Duration = .milliseconds(4_500),
        requirePermission: @escaping Requirement = { _ throws(NotificationError) in },
        report: @escaping Report = { _, _ in }, inspect: @escaping Inspection
    ) {
        self.report = report
        self.openingLimit = openingLimit
        opened = service
        readiness = service == nil ? AsyncGate() : AsyncGate(.some(nil))
        self.connection = connection
        self.inspect = inspect
        self.requirePermission = requirePermission
        files = HangingWork(reactor: connection.reactor)
        reactor = connection.reactor
    }

    /// Puts the object on the bus.
    ///
    /// Request the name `CenterName.bus` after this call: a client that sees the name must find the
    /// object.
    ///
    /// - Throws: `protocolViolation` if another object is at the path.
    public func start() async throws(NotificationError) {
        await connection.onStateChange { [weak self] state in
            guard case .disconnected = state else { return }
            self?.assumeIsolated { $0.busWasLost() }
        }
        do throws(BusError) {
            try await connection.export(object, at: CenterName.path)
        } catch {
            throw NotificationError(error)
        }
    }

    /// Begins to serve calls; the calls that have waited come first.
    ///
    /// `requirePermission` makes sure that the user decides about an app before the app notifies.
    /// `report` gets each item that a list or signal leaves out because D-Bus cannot carry it.
    public func serve(
        _ service: any NotificationService,
        requirePermission: @escaping Requirement = { _ throws(NotificationError) in },
        report: @escaping Report = { _, _ in }
    ) {
        opened = service
        self.requirePermission = requirePermission
        self.report = report
        endWaiting(refusing: nil)
    }

    /// Makes calls wait for `serve(_:)` or `refuse(_:)`.
    public func prepare() {
        referral?.cancel()
        referral = nil
        readiness.close()
    }

    /// Makes calls wait until another process releases the store.
    ///
    /// After `referralPause`, calls get the address of the other process's bus, where they can be
    /// repeated. If the process names no bus, calls are refused with `storeLocked`.
    public func awaitStore(heldOn bus: @escaping @Sendable () -> String?) {
        prepare()
        referral = reactor.deadline(after: Self.referralPause) { [weak self] in
            self?.assumeIsolated { $0.referCallers(to: bus()) }
        }
    }

    /// Calls the handler once if calls wait already, and then for each further call that waits.
    public func onWaitingCall(_ handler: (@Sendable () -> Void)?) {
        waitingCallHandler = handler
        if readiness.hasWaiters { handler?() }
    }

    private func referCallers(to bus: String?) {
        guard let bus, let address = try? BusAddress(bus) else {
            return refuse(
                NotificationError(
                    .storeLocked,
                    "The store is in use by another process, which names no bus. Wait until that "
                        + "process has ended, or stop it."))
        }
        // This bus's previous daemon is ending and still has the store, so continue to wait.
        guard !address.leads(toSameBusAs: connection.address) else { return }
        endWaiting(
            refusing: .remote(
                CenterName.storeElsewhere,
                "The notification centre of this user serves another session bus (\(address)). "
                    + "Call it there.", detail: address.rawValue))
    }

    /// Answers all waiting calls and all later calls with this error.
    public func refuse(_ error: NotificationError) {
        endWaiting(refusing: error.busError)
    }

    /// Refuses every call with an error that makes callers look for another notification centre.
    ///
    /// Calls that have begun continue.
    public func refuseAsEnding() {
        endWaiting(
            refusing: .remote(
                "org.freedesktop.DBus.Error.ServiceUnknown",
                "This notification centre is ending. Nothing was done; call it again."))
    }

    private func endWaiting(refusing refusal: BusError?) {
        referral?.cancel()
        referral = nil
        openingDeadline?.cancel()
        openingDeadline = nil
        readiness.open(refusal)
    }

    var isOpening: Bool {
        !readiness.isOpen
    }

    /// Returns when calls are served; throws if they are refused.
    func ready() async throws(BusError) {
        let refusal: BusError? =
            if let known = readiness.value {
                known
            } else {
                await opening().value()
            }
        if let refusal { throw refusal }
    }

    /// A promise that gets nil when calls are served, or the error that refuses the waiting calls.
    private func opening() -> Promise<BusError?> {
        waitingCallHandler?()
        if openingDeadline == nil {
            openingDeadline = reactor.deadline(after: openingLimit) { [weak self] in
                self?.assumeIsolated { exporter in
                    exporter.openingDeadline = nil
                    exporter.readiness.release(exporter.stillOpening)
                }
            }
        }
        return readiness.valuePromise()
    }

    private var stillOpening: BusError {
        NotificationError(
            .noDaemon,
            "The notification centre is still opening its store after \(openingLimit). Call it "
                + "again in a moment."
        ).busError
    }

    /// Ends every session and watch, and refuses every call as `refuseAsEnding()` does.
    ///
    /// The object stays on the bus.
    public func stop() async {
        isStopped = true
        refuseAsEnding()
        for sender in senders.keys { await forgetSender(sender) }
    }

    /// The service; throws if there is no service yet.
    ///
    /// After `ready()` there is always a service.
    var service: any NotificationService {
        get throws(NotificationError) {
            guard let opened else {
                throw NotificationError(
                    .noDaemon, "The notification centre is starting. Repeat the call.")
            }
            return opened
        }
    }

    /// The number of sessions; a development daemon without sessions may exit.
    public var sessionCount: Int {
        senders.values.reduce(0) { $0 + $1.sessions.count }
    }

    /// Runs `work`, which changes a sender's sessions or watch, while no other call changes them.
    func changing<Value: Sendable>(
        _ sender: BusName,
        _ work: nonisolated(nonsending) () async throws(NotificationError) -> Value
    ) async throws(NotificationError) -> Value {
        if let turn = changes.acquire(sender) { await turn.value() }
        defer { changes.release(sender) }
        return try await work()
    }

    /// Reports an item that cannot be sent: once, and only up to a limit of items.
    func leaveOut(_ key: NotificationKey, _ error: NotificationError) {
        guard leftOut.count < Limits.reports.most, leftOut.insert(key).inserted else { return }
        Task { [report] in await report(key, error) }
    }
}
