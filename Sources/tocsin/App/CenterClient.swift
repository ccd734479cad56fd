internal import CenterInterface
internal import DesktopBus
internal import Freedesktop
internal import Glibc
internal import NotificationModel
internal import Reactor

/// The notification centre as the tool reaches it.
struct CenterClient {
    /// The connection; not open where requests wait for a login.
    let connection: BusConnection
    /// Keeps requests: the notification centre, or the inbox of the daemon of a later session.
    let requests: any RequestKeeping
    /// Whether the daemon serves a session whose bus cannot be reached, and takes the inbox there.
    var isOfOtherSession = false

    /// The inbox, where no bus is there.
    private var inbox: InboxService? { requests as? InboxService }

    /// Whether requests wait for a login, because no bus is there.
    var waitsForLogin: Bool { inbox != nil }

    /// The notification centre; fails where no bus is there.
    var service: any NotificationService {
        get throws(NotificationError) {
            guard let service = requests as? RemoteService else {
                throw NotificationError(.noBus, inbox?.reason ?? "No bus is there.")
            }
            return service
        }
    }

    /// Where the bus is.
    var address: String { connection.address.rawValue }

    /// Opens the bus.
    ///
    /// The daemon is found or started by the first call that needs it. For one call alone, without
    /// files, `ahead` saves waiting for the bus twice. Unless the service follows the store, it fails
    /// with `storeElsewhere` where the daemon serves another session.
    static func open(
        _ environment: ToolEnvironment, ahead: Bool = false, followsStore: Bool = true
    ) async throws(ToolError) -> CenterClient {
        do throws(BusError) {
            return try await reach(environment, ahead: ahead, followsStore: followsStore)
        } catch {
            throw refusal(error, in: environment)
        }
    }

    private static func reach(
        _ environment: ToolEnvironment, ahead: Bool = false, followsStore: Bool = true
    ) async throws(BusError) -> CenterClient {
        let address = try BusAddress.session { environment.variable($0) }
        let connection = BusConnection(
            address: address, reactor: environment.reactor,
            options: BusConnectionOptions { $0.connectsOnReactor = true })
        if ahead {
            try await connection.openAhead()
        } else {
            try await connection.open()
        }
        // A daemon that is started from here writes what it has to say to this file.
        let log = environment.stateDirectory().map { $0 + "/tocsind.log" }
        let launcher = DaemonLauncher(environment: environment.variables, log: log)
        let service = RemoteService(
            connection: connection, launcher: launcher, followsStore: followsStore,
            onDelay: { Output.warn("tocsin: \($0)") })
        return CenterClient(connection: connection, requests: service)
    }

    /// Without a bus there is nothing but that to say, whatever the reason is called.
    private static func refusal(_ error: BusError, in environment: ToolEnvironment) -> ToolError {
        ToolError.unreachable(
            error.code == .noBus ? environment.owner.remedy(error.message) : error.message)
    }

    /// Opens the bus, or the inbox where there is none.
    ///
    /// To read, only an inbox in which something waits is of use: an empty list would say that nothing
    /// waits, and what a daemon has is not known. Who reads is told that the rest is not seen.
    static func openOrInbox(
        _ environment: ToolEnvironment, reading: Bool = false
    ) async throws(ToolError) -> CenterClient {
        let failure: BusError
        do throws(BusError) {
            return try await reach(environment)
        } catch {
            failure = error
        }
        let refusal = refusal(failure, in: environment)
        guard let inbox = InboxService(in: environment, without: refusal.message),
            let address = try? BusAddress(socketPath: "/run/user/\(geteuid())/bus")
        else { throw refusal }
        if reading {
            if await inbox.isEmpty { throw refusal }
            // An address with a mistake in it is not the same as no session.
            guard [.noBus, .connectionFailed].contains(failure.code) else { throw refusal }
            Output.warn(
                "tocsin: no session: no bus can be reached here, and only what waits for login is "
                    + "seen; the rest is seen in a desktop session. \(refusal.message)")
        }
        return CenterClient(
            connection: BusConnection(address: address, reactor: environment.reactor),
            requests: inbox)
    }

    /// Keeps requests for the daemon of another session, whose bus cannot be reached from here: it
    /// watches the inbox.
    func inboxOfOtherSession(
        after error: NotificationError, in environment: ToolEnvironment
    ) -> CenterClient? {
        guard error.code == .storeElsewhere else { return nil }
        return InboxService(in: environment, without: error.message).map {
            CenterClient(connection: connection, requests: $0, isOfOtherSession: true)
        }
    }

    /// Hands over what is to be shown now, and fails where nothing can: it is not kept for later.
    func send(
        _ request: NotificationRequest, attachments: [OpenFile] = [], for app: ApplicationID
    ) async throws {
        var request = request
        var desktop = request.content.desktop ?? DesktopOptions()
        desktop.requiresServer = true
        request.content.desktop = desktop
        do throws(NotificationError) {
            return try await requests.add(request, attachments: attachments, for: app)
        } catch {
            guard error.code == .noServer else { throw error }
        }
        // One can be started perhaps, or is so new that the centre has not met it.
        try await requireServer()
        request.content.desktop?.requiresServer = false
        try await requests.add(request, attachments: attachments, for: app)
    }

    /// How long a server may take to start and to say who it is.
    private static let serverLimit: Duration = .seconds(5)

    /// Fails where no server is and none can be started, or the one that is there does not answer.
    private func requireServer() async throws(ToolError) {
        let waiting = PatienceNotice(for: .server, on: connection.reactor)
        defer { waiting.end() }
        let server = NotificationServer.busName
        let end = ContinuousClock.now + Self.serverLimit
        do throws(BusError) {
            switch try await connection.availability(of: server) {
            case .running: break
            case .startable:
                try await connection.startService(server, timeout: Self.serverLimit)
            case .absent: throw BusError(.serviceUnknown, "")
            }
            _ = try await NotificationServer(on: connection).information(
                timeout: max(end - .now, .milliseconds(100)))
        } catch {
            try Self.refuse(error)
        }
    }

    /// Says why the server could not be reached; an error that it sent itself is an answer.
    private static func refuse(_ error: BusError) throws(ToolError) {
        switch error.code {
        case .timedOut where error.remoteName == nil:
            throw noServer("the one that is installed has not answered for \(serverLimit)")
        case .serviceUnknown where error.remoteName == nil: throw noServer("none can be started")
        case .disconnected, .connectionFailed, .noBus: throw ToolError(NotificationError(error))
        case .remote(let name) where !name.rawValue.contains(".Spawn."): return
        default: throw noServer("the one that is installed could not be started")
        }
    }

    private static func noServer(_ reason: String) -> ToolError {
        ToolError.noServer(
            "No notification server is on the session bus, and \(reason); nothing was sent. Start "
                + "the desktop's own, or install one such as dunst, or use 'tocsin schedule' to "
                + "have it shown when one appears.")
    }

    /// How the centre is; it may have to start the notification server for that.
    func status() async throws(NotificationError) -> ServiceStatus {
        let waiting = PatienceNotice(for: .centre, on: connection.reactor)
        defer { waiting.end() }
        if let inbox { return try await inbox.status() }
        return try await service.status()
    }

    /// The delivered notifications of one app or of all; none while requests wait for a login.
    func delivered(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [DeliveredNotification] {
        if waitsForLogin { return [] }
        return try await service.delivered(of: app, identifiers: identifiers)
    }

    /// The state of the notification server; nil if the centre does not answer within the limit.
    ///
    /// The question may have the bus start a server, and the answer wait until that has come.
    func presenter(within limit: Duration) async -> PresenterStatus? {
        let (answers, source) = AsyncStream.makeStream(of: PresenterStatus?.self)
        source.yield(nil, after: limit, on: connection.reactor)
        let question = Task { source.yield(try? await service.status().presenter) }
        defer { question.cancel() }
        for await answer in answers { return answer }
        return nil
    }

    /// Says who an app is, without listening for its answers.
    func introduce(_ identity: ApplicationIdentity) async throws(NotificationError) {
        if let inbox { return try await inbox.introduce(identity) }
        // No notification has an empty identifier.
        _ = try await service.connect(identity, asksBeforePresenting: false, identifiers: [""]) {
            _ in
        }
    }

    /// The records of dates that were not shown; none, and a warning, of an old daemon.
    func records(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [NotificationRecord] {
        if waitsForLogin { return [] }
        do throws(NotificationError) {
            return try await service.records(of: app, identifiers: identifiers)
        } catch {
            guard error.code == .outdatedDaemon else { throw error }
            Output.warn("tocsin: what was not shown at all is not listed: \(error.message)")
            return []
        }
    }
}

/// The store of the notification centre, while a daemon that the tool has started beside itself
/// serves another: what is not found here may wait there.
enum OtherStore {
    private static let developmentEnd = "/dev/center.sqlite"

    /// The way to reach it; nil if the daemon here has the centre's own store.
    static func notice(at center: CenterClient) async -> String? {
        guard let served = try? await center.service.status().store,
            served.hasSuffix(developmentEnd)
        else { return nil }
        let own = served.dropLast(developmentEnd.count) + "/center.sqlite"
        var status = stat()
        guard stat(String(own), &status) == 0, status.st_size > 0 else { return nil }
        return "the notification centre that has the store \(String(own).quotedForMessage()) does "
            + "not run on this bus; a tocsind started by this tool serves "
            + "\(served.quotedForMessage()) meanwhile. Start it with 'systemctl --user start "
            + "tocsind', or run 'tocsind' in a terminal; then try again."
    }

    /// Adds to a lookup that failed where the notification may be.
    static func explained(_ error: ToolError, in environment: ToolEnvironment) async -> ToolError {
        guard let missing = error.missing,
            let center = try? await CenterClient.open(environment),
            let notice = await notice(at: center)
        else { return error }
        return ToolError.unreachable(
            "\(missing) was not found here and may wait elsewhere: \(notice)")
    }
}
