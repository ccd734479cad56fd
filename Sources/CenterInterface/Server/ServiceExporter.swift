public import DesktopBus
public import NotificationModel
public import Reactor

/// Offers a notification service on the bus, as `org.tocsin.NotificationCenter1`.
///
/// It runs on the connection's reactor, and calls of one sender begin in their order. A sender
/// has a session per app that it connected; when it leaves the bus its sessions end. Events go to
/// the sender of their session only, so their content reaches nobody else.
public actor ServiceExporter: ReactorActor {
    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    /// Opens with nil when calls are served, and with an error that answers them; while the store is
    /// being opened calls wait, in their order.
    private var readiness: AsyncGate<BusError?>
    /// The service, also for the calls that are in work when it ends.
    private(set) var opened: (any NotificationService)?
    private var openingDeadline: Deadline?
    private var callWaits: (@Sendable () -> Void)?
    /// When calls are told who has the store.
    private var referral: Deadline?
    let connection: BusConnection

    var senders: [BusName: ConnectedSender] = [:]
    /// What could not be sent and was reported; the first ones, so that no list reports it again.
    private var leftOut: Set<NotificationKey> = []
    private var report: Report
    var admission = Admission()
    /// Lets the calls that change what one sender has connected do that one after another: each of
    /// them finds what the one before it left, also where it waits for the service in between.
    private var changes = KeyedSemaphore<BusName>()
    /// Whether nobody may connect any more.
    var isStopped = false

    /// How long a call waits for the store; its caller is told before it gives up by itself.
    private let openingLimit: Duration

    /// How long a process may take to let go of the store before callers hear that it has it.
    private static let referralPause: Duration = .milliseconds(600)

    /// What one sender has connected.
    struct ConnectedSender {
        var sessions: [ApplicationID: ConnectedApp] = [:]
        /// Hears of changes, where it watches.
        var watch: ServiceSession?
        /// Tells when the sender leaves the bus.
        var presence: BusSubscription?
        /// The questions that were sent to it, the last ones.
        var questions: Set<PresentationToken> = []
    }

    struct ConnectedApp {
        var session: ServiceSession
        var identity: ApplicationIdentity
        var wishes: ApplicationIntroduction.Wishes
    }

    /// Finds out what a caller may do.
    typealias Inspection = nonisolated(nonsending) @Sendable (BusName) async -> CallerRights?

    /// Makes an app one about which the user is asked.
    public typealias Requirement =
        nonisolated(nonsending) @Sendable (ApplicationID) async throws(NotificationError) -> Void

    let inspect: Inspection
    private(set) var requirePermission: Requirement
    /// Opens and looks at files that callers sent.
    let files: HangingWork

    /// Records why something of an app could not be sent.
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

    init(
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

    /// Puts the object on the bus; take the name `CenterName.bus` afterwards, so that whoever
    /// sees the name finds the object.
    public func start() async throws(NotificationError) {
        await connection.onStateChange { [weak self] state in
            guard case .disconnected = state else { return }
            self?.assumeIsolated { $0.busWasLost() }
        }
        do throws(BusError) {
            try await connection.export(
                ExportedObject(interfaces: [table]),
                at: CenterName.path)
        } catch {
            throw NotificationError(error)
        }
    }

    /// Serves calls from now on, those first that waited.
    ///
    /// `requirePermission` sees to it that the user is asked about an app before it notifies;
    /// `report` hears of each item that D-Bus cannot carry and that a list or signal leaves out.
    public func serve(
        _ service: any NotificationService,
        requirePermission: @escaping Requirement = { _ throws(NotificationError) in },
        report: @escaping Report = { _, _ in }
    ) {
        opened = service
        self.requirePermission = requirePermission
        self.report = report
        enter(refusing: nil)
    }

    /// Has calls wait for `serve(_:)` or `refuse(_:)`.
    public func prepare() {
        referral?.cancel()
        referral = nil
        readiness.close()
    }

    /// Has calls wait for the store that another process has.
    ///
    /// When that takes longer than it takes a process to end, calls are answered with the address of
    /// the bus that the holder of the store serves, where they can be repeated.
    public func awaitStore(heldOn bus: @escaping @Sendable () -> String?) {
        prepare()
        referral = reactor.deadline(after: Self.referralPause) { [weak self] in
            self?.assumeIsolated { $0.refer(to: bus()) }
        }
    }

    /// Hears of each call that waits, also of those that wait already.
    public func onWaitingCall(_ handler: (@Sendable () -> Void)?) {
        callWaits = handler
        if readiness.hasWaiters { handler?() }
    }

    private func refer(to bus: String?) {
        guard let bus, let address = try? BusAddress(bus) else {
            return refuse(
                NotificationError(
                    .storeLocked,
                    "The store is in use by another process, which names no bus. Wait until that "
                        + "process has ended, or stop it."))
        }
        // The daemon before this one on the same bus is still ending.
        guard !address.leads(toSameBusAs: connection.address) else { return }
        enter(
            refusing: .remote(
                CenterName.storeElsewhere,
                "The notification centre of this user serves another session bus (\(address)). "
                    + "Call it there.", detail: address.rawValue))
    }

    /// Answers every call with this error from now on.
    public func refuse(_ error: NotificationError) {
        enter(refusing: error.busError)
    }

    /// Answers every call so that its caller looks for another notification centre.
    ///
    /// Calls that have begun go on.
    public func refuseAsEnding() {
        enter(
            refusing: .remote(
                "org.freedesktop.DBus.Error.ServiceUnknown",
                "This notification centre is ending. Nothing was done; call it again."))
    }

    /// Ends the waiting of calls: they are served, or answered with this error.
    private func enter(refusing refusal: BusError?) {
        referral?.cancel()
        referral = nil
        openingDeadline?.cancel()
        openingDeadline = nil
        readiness.open(refusal)
    }

    /// Whether calls wait for the store.
    var isOpening: Bool {
        !readiness.isOpen
    }

    /// Returns when calls are served; throws where they are not.
    func ready() async throws(BusError) {
        let refusal: BusError? =
            if let known = readiness.value {
                known
            } else {
                await opening().value()
            }
        if let refusal { throw refusal }
    }

    /// The end of the opening, or that it is still on its way when a call has waited long enough.
    private func opening() -> Promise<BusError?> {
        callWaits?()
        if openingDeadline == nil {
            openingDeadline = reactor.deadline(after: openingLimit) { [weak self] in
                self?.assumeIsolated { exporter in
                    exporter.openingDeadline = nil
                    exporter.readiness.release(exporter.stillOpening)
                }
            }
        }
        return readiness.pass()
    }

    private var stillOpening: BusError {
        NotificationError(
            .noDaemon,
            "The notification centre has not opened its store within \(openingLimit). It goes on; "
                + "call it again in a moment."
        ).busError
    }

    /// Ends every session; the object stays, and answers as `refuseAsEnding()` has it.
    public func stop() async {
        isStopped = true
        refuseAsEnding()
        for sender in senders.keys { await forget(sender) }
    }

    /// The service; throws before there is one, which no call sees that was `ready()`.
    var service: any NotificationService {
        get throws(NotificationError) {
            guard let opened else {
                throw NotificationError(
                    .noDaemon, "The notification centre is starting. Call it again.")
            }
            return opened
        }
    }

    /// How many sessions there are; a development daemon without any may leave.
    public var sessionCount: Int {
        senders.values.reduce(0) { $0 + $1.sessions.count }
    }

    /// Changes what a sender has connected, when nothing else does.
    func changing<Value: Sendable>(
        _ sender: BusName,
        _ work: nonisolated(nonsending) () async throws(NotificationError) -> Value
    ) async throws(NotificationError) -> Value {
        if let turn = changes.enter(sender) { await turn.value() }
        defer { changes.leave(sender) }
        return try await work()
    }

    /// Reports something that cannot be sent, once.
    func leaveOut(_ key: NotificationKey, _ error: NotificationError) {
        guard leftOut.count < Limits.reports.most, leftOut.insert(key).inserted else { return }
        Task { [report] in await report(key, error) }
    }
}
