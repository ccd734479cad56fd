public import DesktopBus
public import NotificationModel
public import Reactor

/// Where the device is, according to GeoClue on the system bus.
///
/// It owns one client object of GeoClue, for the regions of all apps, and its subscriptions.
///
/// It promises each fix in order, a new client after a restart of GeoClue, and none while nobody
/// needs the location: GeoClue scans and powers receivers for every started client.
///
/// It never judges a fix, and never waits without a timeout.
///
/// Source: GeoClue 2.6, `org.freedesktop.GeoClue2.Manager`, `.Client` and `.Location`.
public actor GeoClue: LocationSource, ReactorActor {
    /// The timeouts and pauses of a client.
    public struct Timing: Sendable {
        /// How long GeoClue may take for an answer; it also has to start.
        ///
        /// `GetClient` of 2.6 does not answer before an agent is there.
        public var answer: Duration = .seconds(10)
        /// The pauses between attempts; an agent may come long after the daemon.
        public var retry = Backoff(first: .seconds(5), longest: .seconds(600))
        /// The shortest time between two fixes, in seconds.
        public var betweenFixes: UInt32 = 30

        /// Makes the timing of a daemon.
        public init() {}
    }

    /// One client object of GeoClue.
    struct Client {
        /// Its unique path: GeoClue uses none twice.
        let path: ObjectPath
        /// The process of GeoClue that has it.
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
    /// Whether GeoClue runs or can be started; assumed until the bus has said so.
    private var isReachable = true
    private var told = LocationStatus.unknown
    /// Whether a task brings the client in line with the need, and whether it has to look again.
    private var (isUpdating, isStale) = (false, false)
    private var retry: Deadline?
    private var failures = 0

    /// Makes a source; the connection to the system bus may come late or never.
    ///
    /// `desktopID` is the name by which GeoClue knows who asks: that of the program that asks, which
    /// is the daemon's for all apps. An app may have quit, and GeoClue cannot check the name of a
    /// program outside of a sandbox anyway.
    public init(
        desktopID: String, reactor: Reactor, timing: Timing = Timing(),
        systemBus: @escaping @Sendable () async -> BusConnection?
    ) {
        self.desktopID = desktopID
        self.reactor = reactor
        self.timing = timing
        self.systemBus = systemBus
    }

    /// Starts to listen; GeoClue is not asked before something needs the location.
    public func follow(_ listener: @escaping @Sendable (LocationEvent) -> Void) {
        self.listener = listener
    }

    /// Starts a client, changes it, or removes it.
    public nonisolated func watch(_ need: LocationNeed?) {
        onReactor { geoClue in
            geoClue.need = need
            geoClue.update()
        }
    }

    /// The present status; without a client, only whether there is a GeoClue.
    ///
    /// A system bus that hangs delays it by at most a second; the status is unknown then.
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

    /// Brings the client in line with the need, in one task at a time.
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
                // A started client keeps its level, so it needs a successor for another one. Its
                // last events cannot be taken for those of the successor, which has another path.
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
        // GeoClue may signal within the same millisecond as it starts.
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
        retry = reactor.deadline(after: pause) { [weak self] in
            self?.assumeIsolated { $0.update() }
        }
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
            // Its objects went with it. A crash is answered slowly, so that it does not repeat.
            self.client = nil
            if need != nil { retryLater() }
        }
        guard let availability else { return }
        let wasReachable = isReachable
        isReachable = availability != .absent
        guard need != nil else { return }
        if !isReachable { report(.missing) } else if !wasReachable { update() }
    }

    /// Takes a place of the device.
    func moved(to fix: LocationFix, by path: ObjectPath) {
        guard client?.path == path else { return }
        failures = 0
        report(.available)
        listener(.fix(fix))
    }

    /// Takes whether a client is active; the user may turn the location off and on again.
    func activeChanged(to isActive: Bool, of path: ObjectPath) {
        guard client?.path == path, isActive == (told == .off) else { return }
        report(isActive ? .available : .off)
        if !isActive { listener(.turnedOff) }
    }
}
