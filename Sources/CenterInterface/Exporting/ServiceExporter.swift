public import DesktopBus
public import NotificationModel
public import Reactor

/// Offers a notification service on the bus, as `org.tocsin.NotificationCenter1`.
///
/// It runs on the connection's reactor, and calls of one sender begin in their order. A sender
/// has a session per app that it connected; when it leaves the bus its sessions end. Events go to
/// the sender of their session only, so their content reaches nobody else.
public actor ServiceExporter {
    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    let service: any NotificationService
    let connection: BusConnection

    /// The reactor, as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    var senders: [BusName: ConnectedSender] = [:]
    var admission = Admission()

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
        var wishes: IdentityCoding.Wishes
    }

    /// Finds out what a caller may do.
    typealias Inspection = nonisolated(nonsending) @Sendable (BusName) async -> CallerRights?

    let inspect: Inspection

    /// Makes an exporter; nothing is on the bus before `start()`.
    public init(service: any NotificationService, connection: BusConnection) {
        self.init(service: service, connection: connection) { sender in
            await CallerInspection(connection: connection).rights(of: sender)
        }
    }

    init(
        service: any NotificationService, connection: BusConnection,
        inspect: @escaping Inspection
    ) {
        self.service = service
        self.connection = connection
        self.inspect = inspect
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
                ExportedObject(interfaces: [CenterInterfaceTable.table(of: self)]),
                at: CenterName.path)
        } catch {
            throw NotificationError(error)
        }
    }

    /// Takes the object off the bus and ends every session.
    public func stop() async {
        await connection.unexport(at: CenterName.path)
        for sender in senders.keys { await forget(sender) }
    }

    /// How many sessions there are; a development daemon without any may leave.
    public var sessionCount: Int {
        senders.values.reduce(0) { $0 + $1.sessions.count }
    }

    /// Does a call's work, with its errors as the bus knows them.
    func serve(
        _ invocation: MethodInvocation,
        _ work: nonisolated(nonsending) ([BusValue]) async throws(NotificationError) -> [BusValue]
    ) async throws(BusError) -> [BusValue] {
        do throws(NotificationError) {
            return try await work(invocation.arguments)
        } catch {
            throw error.busError
        }
    }
}
