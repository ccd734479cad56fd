internal import CenterInterface
internal import DesktopBus
internal import Freedesktop
internal import Glibc
internal import NotificationModel
internal import Reactor

/// The tool's access to the notification centre.
///
/// It owns the connection, and the service that stores requests. This service is the centre, or the
/// inbox if the tool cannot reach a daemon. The inbox is a directory of requests.
///
/// If there is no bus, centre or server, the error names a remedy.
struct CenterClient {
    /// The connection; it is not open if there is no bus.
    let connection: BusConnection
    /// The service that stores requests: the notification centre, or the inbox.
    ///
    /// A daemon of another session, or of the next login, imports the requests of the inbox.
    let requests: any RequestKeeping
    /// Whether requests go to the inbox because a running daemon serves another session.
    var isOfOtherSession = false

    private var inbox: InboxService? { requests as? InboxService }

    /// Whether requests go to the inbox, because there is no bus or the daemon serves another
    /// session.
    var waitsForLogin: Bool { inbox != nil }

    /// The notification centre; throws `noBus` if requests go to the inbox.
    var service: any NotificationService {
        get throws(NotificationError) {
            guard let service = requests as? RemoteService else {
                throw NotificationError(.noBus, inbox?.reason ?? "No bus is there.")
            }
            return service
        }
    }

    var address: String { connection.address.rawValue }

    /// Opens the bus.
    ///
    /// The first call that needs the daemon finds or starts the daemon.
    ///
    /// - With `ahead`, the first call is sent before the bus has answered `Hello`. This call cannot
    ///   carry files.
    /// - If the daemon serves another session, calls go to the bus of that session. Without
    ///   `followsStore`, they fail with `storeElsewhere` instead.
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
        // A daemon that the tool starts writes its output to this file.
        let log = environment.stateDirectory().map { $0 + "/tocsind.log" }
        let launcher = DaemonLauncher(environment: environment.variables, log: log)
        let service = RemoteService(
            connection: connection, launcher: launcher, followsStore: followsStore,
            onDelay: { Output.warn("tocsin: \($0)") })
        return CenterClient(connection: connection, requests: service)
    }

    /// The error for an unreachable bus; if there is no bus at all, the error names a remedy.
    private static func refusal(_ error: BusError, in environment: ToolEnvironment) -> ToolError {
        ToolError.unreachable(
            error.code == .noBus ? environment.owner.remedy(error.message) : error.message)
    }

    /// Opens the bus, or the inbox if there is no bus.
    ///
    /// When reading, an empty inbox is an error: without a daemon we cannot tell whether anything
    /// is pending. If the inbox has requests, a warning says that only these requests are listed.
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
            // Only these two codes mean that no session runs. A mistake in the address, for
            // example, has another code.
            guard [.noBus, .connectionFailed].contains(failure.code) else { throw refusal }
            Output.warn(
                "tocsin: no bus can be reached here, so only requests that wait for a login are "
                    + "listed. Run this in a desktop session to list the rest. \(refusal.message)")
        }
        return CenterClient(
            connection: BusConnection(address: address, reactor: environment.reactor),
            requests: inbox)
    }

    /// Makes a client of the inbox if the error says that the daemon serves another session.
    ///
    /// This process cannot reach the bus of that session, but that session's daemon watches the
    /// inbox.
    func inboxOfOtherSession(
        after error: NotificationError, in environment: ToolEnvironment
    ) -> CenterClient? {
        guard error.code == .storeElsewhere else { return nil }
        return InboxService(in: environment, without: error.message).map {
            CenterClient(connection: connection, requests: $0, isOfOtherSession: true)
        }
    }

    /// Adds a request that is shown now; throws if no notification server runs or can start.
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
        // `noServer` can also mean that a server has not started, or is not identified yet.
        try await requireServer()
        request.content.desktop?.requiresServer = false
        try await requests.add(request, attachments: attachments, for: app)
    }

    /// How long a server may take to start and to identify itself.
    private static let serverLimit: Duration = .seconds(5)

    /// Throws if no server runs or can start, or if the server does not answer.
    private func requireServer() async throws(ToolError) {
        let waiting = DelayNotice(for: .server, on: connection.reactor)
        defer { waiting.cancel() }
        let server = NotificationServer.busName
        let end = ContinuousClock.now + Self.serverLimit
        var found: ServiceAvailability?
        do throws(BusError) {
            let availability = try await connection.availability(of: server)
            found = availability
            switch availability {
            case .running: break
            case .startable:
                try await connection.startService(server, timeout: Self.serverLimit)
            case .absent: throw BusError(.serviceUnknown, "")
            }
            _ = try await NotificationServer(on: connection).information(
                timeout: max(end - .now, .milliseconds(100)))
        } catch {
            try Self.refuse(error, of: found)
        }
    }

    /// Throws an error that says why no server can be used.
    ///
    /// It throws nothing if the server itself sent the error, because then the server runs. `found`
    /// is the state of the server before the error; nil if the bus did not report the state.
    private static func refuse(
        _ error: BusError, of found: ServiceAvailability?
    ) throws(ToolError) {
        let isTimeout = error.code == .timedOut && error.remoteName == nil
        let cause = error.remoteName.map { " (\($0.rawValue))" } ?? ""
        switch (found, error.code) {
        case (nil, _), (_, .disconnected), (_, .connectionFailed), (_, .noBus):
            throw ToolError(NotificationError(error))
        case (_, .remote) where !error.isOfFailedStart: return
        case (.absent, _):
            throw noServer("No notification server is on the session bus, and none can be started")
        case (.startable, _) where isTimeout:
            throw noServer("The installed server did not start and answer within \(serverLimit)")
        case (.startable, _): throw noServer("The installed server failed at its start\(cause)")
        case (.running, _) where isTimeout:
            throw unusable("The notification server did not answer within \(serverLimit)")
        case (.running, _): throw unusable("The notification server gave no usable answer\(cause)")
        }
    }

    private static func noServer(_ problem: String) -> ToolError {
        ToolError.noServer(
            "\(problem); nothing was sent. Start the desktop's own, or install one such as dunst. "
                + "'tocsin schedule' shows the notification when a server appears.")
    }

    private static func unusable(_ problem: String) -> ToolError {
        ToolError.noServer(
            "\(problem); nothing was sent. Restart the server. 'tocsin schedule' shows the "
                + "notification when the server answers.")
    }

    /// The centre's status; the centre may first have to start the notification server.
    func status() async throws(NotificationError) -> ServiceStatus {
        let waiting = DelayNotice(for: .centre, on: connection.reactor)
        defer { waiting.cancel() }
        if let inbox { return try await inbox.status() }
        return try await service.status()
    }

    /// The delivered notifications of one app, or of every app; none if requests go to the inbox.
    func delivered(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [DeliveredNotification] {
        if waitsForLogin { return [] }
        return try await service.delivered(of: app, identifiers: identifiers)
    }

    /// The state of the notification server; nil if the centre does not answer within the limit.
    ///
    /// This question may start a server; the centre then answers when the server has started.
    func presenter(within limit: Duration) async -> PresenterStatus? {
        let (answers, source) = AsyncStream.makeStream(of: PresenterStatus?.self)
        source.yield(nil, after: limit, on: connection.reactor)
        let question = Task { source.yield(try? await service.status().presenter) }
        defer { question.cancel() }
        for await answer in answers { return answer }
        return nil
    }

    /// Tells the centre an app's identity, without receiving responses for that app.
    func introduce(_ identity: ApplicationIdentity) async throws(NotificationError) {
        if let inbox { return try await inbox.introduce(identity) }
        // No notification has an empty identifier, so no response arrives here.
        _ = try await service.connect(identity, asksBeforePresenting: false, identifiers: [""]) {
            _ in
        }
    }

    /// The records of dates that were not shown.
    ///
    /// A daemon of an old version has no records; this method then warns and returns none.
    func records(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [NotificationRecord] {
        if waitsForLogin { return [] }
        do throws(NotificationError) {
            return try await service.records(of: app, identifiers: identifiers)
        } catch {
            guard error.code == .outdatedDaemon else { throw error }
            Output.warn(
                "tocsin: notifications that were never shown are not listed: \(error.message)")
            return []
        }
    }
}

/// Says where a missing notification may be: in the usual store of the centre.
///
/// A `tocsind` that the tool itself started serves the development store. The usual store may have
/// notifications that the development store does not have.
enum OtherStore {
    private static let developmentEnd = "/dev/center.sqlite"

    /// A sentence on how to reach the centre's usual store.
    ///
    /// It is nil if the daemon serves the usual store, or if the usual store does not exist.
    static func notice(at center: CenterClient) async -> String? {
        guard let served = try? await center.service.status().store,
            served.hasSuffix(developmentEnd)
        else { return nil }
        let own = served.dropLast(developmentEnd.count) + "/center.sqlite"
        var status = stat()
        guard stat(String(own), &status) == 0, status.st_size > 0 else { return nil }
        return "the notification centre of the store \(String(own).quotedForMessage()) does not "
            + "run on this bus. This tool has started another tocsind, with the store "
            + "\(served.quotedForMessage()). Start the centre with 'systemctl --user start "
            + "tocsind', or run 'tocsind' in a terminal; then try again."
    }

    /// Replaces the error of a failed lookup if the usual store may have the notification.
    ///
    /// Any other error stays unchanged.
    static func explained(_ error: ToolError, in environment: ToolEnvironment) async -> ToolError {
        guard let missing = error.missing,
            let center = try? await CenterClient.open(environment),
            let notice = await notice(at: center)
        else { return error }
        return ToolError.unreachable(
            "\(missing) was not found here and may wait elsewhere: \(notice)")
    }
}
