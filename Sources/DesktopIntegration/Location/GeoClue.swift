public import DesktopBus
public import NotificationModel
public import Reactor

/// Where the device is, according to GeoClue on the system bus.
///
/// It owns at most one client object of GeoClue. After a restart of GeoClue, a new client replaces
/// the old one. While nobody needs the location there is no client, because GeoClue scans and
/// powers receivers for every started client.
///
/// It passes on fixes (reported positions) in order, even inaccurate fixes. Every call has a
/// timeout.
///
/// Source: GeoClue 2.6, `org.freedesktop.GeoClue2.Manager`, `.Client` and `.Location`.
public actor GeoClue: LocationSource, ReactorActor {
    /// The timeouts and pauses of a client.
    public struct Timing: Sendable {
        /// How long GeoClue may take for an answer, including its start.
        ///
        /// GeoClue 2.6 does not answer `GetClient` until an agent runs. An agent is the desktop's
        /// program that permits the use of the location.
        public var answer: Duration = .seconds(10)
        /// The pauses between attempts; an agent may start long after the daemon.
        public var retry = Backoff(first: .seconds(5), longest: .seconds(600))
        /// The shortest time between two fixes, in seconds.
        public var betweenFixes: UInt32 = 30

        /// Makes the timing of a daemon.
        public init() {}
    }

    struct Client {
        /// The client's path, which the same GeoClue process never gives to another client.
        let path: ObjectPath
        /// The bus name of the GeoClue process that made the client.
        let owner: BusName
        let bus: BusConnection
        var need: LocationNeed
        var subscriptions: [BusSubscription] = []
    }

    static let service: BusName = "org.freedesktop.GeoClue2"

    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    let desktopID: String
    let timing: Timing
    private let systemBus: @Sendable () async -> BusConnection?

    private var listener: @Sendable (LocationEvent) -> Void = { _ in }
    private var need: LocationNeed?
    private var client: Client?
    private var follower: ServiceFollower?
    /// Whether GeoClue runs or can be started; true until the bus has answered.
    private var isReachable = true
    /// The status that the listener last got; unknown while nothing needs the location.
    private var told = LocationStatus.unknown
    /// Whether a task is updating the client, and whether the update must run once more.
    private var (isUpdating, isStale) = (false, false)
    private var retry: Deadline?
    private var failures = 0

    /// Makes a source; the connection to the system bus may come late or never.
    ///
    /// `desktopID` names the program that asks GeoClue. For regions this is Tocsin, because the app
    /// of a region may have quit. GeoClue cannot check the name of a program outside of a sandbox.
    public init(
        desktopID: String, reactor: Reactor, timing: Timing = Timing(),
        systemBus: @escaping @Sendable () async -> BusConnection?
    ) {
        self.desktopID = desktopID
        self.reactor = reactor
        self.timing = timing
        self.systemBus = systemBus
    }

    /// Sets the listener; GeoClue is asked only when something needs the location.
    public func follow(_ listener: @escaping @Sendable (LocationEvent) -> Void) {
        self.listener = listener
    }

    /// Sets the precision and the distance that are needed; nil removes the client.
    public nonisolated func watch(_ need: LocationNeed?) {
        onReactor { geoClue in
            geoClue.need = need
            geoClue.update()
        }
    }

    /// The present status.
    ///
    /// While nothing needs the location, the status only tells whether GeoClue is available. If the
    /// system bus hangs, the status is unknown after one second.
    public func status() async -> LocationStatus {
        if need != nil, told != .unknown { return told }
        let answer = Promise<LocationStatus>()
        Task { answer.fulfill(await availability()) }
        let end = reactor.deadline(after: .seconds(1)) { answer.fulfill(.unknown) }
        defer { end.cancel() }
        return await answer.value()
    }

    private func availability() async -> LocationStatus {
        guard let bus = await systemBus(),
            let availability = try? await bus.availability(of: Self.service)
        else { return .missing }
        return availability == .absent ? .missing : .available
    }

    private func report(_ status: LocationStatus) {
        guard told != status else { return }
        told = status
        listener(.statusChanged(status))
    }

    // MARK: One client

    /// Makes, changes or removes the client to match the need, in one task at a time.
    private func update() {
        guard !isUpdating else {
            isStale = true
            return
        }
        isUpdating = true
        retry?.cancel()
        Task {
            repeat {
                isStale = false
                await fitClient()
            } while isStale
            isUpdating = false
        }
    }

    private func fitClient() async {
        guard let need else {
            told = .unknown
            return releaseClient()
        }
        guard let bus = await systemBus() else { return report(.missing) }
        do throws(BusError) {
            try await followService(on: bus)
            guard isReachable else { return report(.missing) }
            if let known = client, known.need != need {
                // A started client keeps its accuracy level, so a new client must replace it. Late
                // events of the former client are ignored, because the new client has another path.
                guard known.need.precision == need.precision else {
                    releaseClient()
                    return try await openClient(need, on: bus)
                }
                try await set(Self.threshold(need), of: known, on: bus)
                client?.need = need
            } else if client == nil {
                try await openClient(need, on: bus)
            }
        } catch {
            releaseClient()
            report(Self.status(after: error))
            retryLater()
        }
    }

    private func openClient(_ need: LocationNeed, on bus: BusConnection) async throws(BusError) {
        var made = try await makeClient(need, on: bus)
        client = made
        // Subscribe before the start: GeoClue may signal within the same millisecond.
        made.subscriptions = try await subscribe(to: made, on: bus)
        client = made
        try await start(made, on: bus)
        report(.available)
    }

    private func releaseClient() {
        guard let former = client else { return }
        client = nil
        remove(former)
    }

    private func retryLater() {
        let pause = timing.retry.pause(afterFailures: failures, fraction: 0)
        failures += 1
        retry?.cancel()
        retry = deadline(after: pause) { $0.update() }
    }

    // MARK: Events

    private func followService(on bus: BusConnection) async throws(BusError) {
        guard follower == nil else { return }
        let follower = ServiceFollower(Self.service, on: bus, backoff: timing.retry)
        self.follower = follower
        do throws(BusError) {
            try await follower.follow { [weak self] availability in
                self?.assumeIsolated { $0.serviceChanged(availability) }
            }
        } catch {
            self.follower = nil
            throw error
        }
    }

    private func serviceChanged(_ availability: ServiceAvailability?) {
        if let client, availability != .running(client.owner) {
            // The client's object ended with GeoClue's process. Pause before making a new client,
            // because GeoClue may crash again.
            self.client = nil
            if need != nil { retryLater() }
        }
        guard let availability else { return }
        let wasReachable = isReachable
        isReachable = availability != .absent
        guard need != nil else { return }
        if !isReachable { report(.missing) } else if !wasReachable { update() }
    }

    func moved(to fix: LocationFix, by path: ObjectPath) {
        // A fix is read after its signal. If the user has turned the location off since the signal,
        // the fix is outdated.
        guard client?.path == path, told != .off else { return }
        failures = 0
        report(.available)
        listener(.fix(fix))
    }

    /// Records whether a client is active; the user may turn the location off and on again.
    func activeChanged(to isActive: Bool, of path: ObjectPath) {
        guard client?.path == path, isActive == (told == .off) else { return }
        report(isActive ? .available : .off)
        if !isActive { listener(.turnedOff) }
    }
}
