internal import Dispatch
internal import Logging
public import NotificationModel
public import Reactor

/// Gives an app's location managers the device's place, and watches the app's regions.
///
/// It owns the listeners, the location source, and the alarm of `AppLocationMachine`.
///
/// It performs the machine's effects in their order.
///
/// It asks the source for a place only if the user has given permission, and a manager or a region
/// needs the place.
public actor AppLocation: LocationServices, ReactorActor {
    /// The values that other threads read.
    private struct Snapshot {
        var state: LocationState?
        var regions: [String: NotificationRegion] = [:]
        var lastNumber: UInt64 = 0
    }

    /// The reactor of the source.
    public nonisolated let reactor: Reactor
    private let source: any LocationSource
    private let permissions: LocationPermissions
    private let clock: any EngineClock
    private let snapshot = Locked(Snapshot())
    /// The callers of `state` wait at this dispatch group until the state is known.
    private let isKnown = DispatchGroup()
    private var machine: AppLocationMachine
    private var listeners: [LocationClient: @Sendable (LocationReport) -> Void] = [:]
    private var isStarted = false
    private var hasAnnounced = false

    /// Makes the services of an app.
    ///
    /// The first use of `connect` or `state` reads the source and the permission.
    package init(
        app: ApplicationID, source: any LocationSource, permissions: LocationPermissions,
        clock: any EngineClock, reactor: Reactor, rules: GeofenceMachine.Rules = .init()
    ) {
        self.reactor = reactor
        self.source = source
        self.permissions = permissions
        self.clock = clock
        machine = AppLocationMachine(app: app, rules: rules)
        isKnown.enter()
    }

    deinit {
        // Dispatch traps if a group is deallocated while an `enter` has no `leave`.
        if !hasAnnounced { isKnown.leave() }
    }

    // MARK: Calls

    /// Registers a location manager, and reads the permission.
    public nonisolated func connect(
        _ listener: @escaping @Sendable (LocationReport) -> Void
    ) -> LocationClient {
        let client = snapshot.withLock { snapshot in
            snapshot.lastNumber += 1
            return LocationClient(number: snapshot.lastNumber)
        }
        onReactor { location in
            location.listeners[client] = listener
            location.machine.connect(client)
            location.start()
        }
        return client
    }

    /// Ends all updates and requests of a manager.
    public nonisolated func disconnect(_ client: LocationClient) {
        onReactor { location in
            location.listeners[client] = nil
            location.perform { $0.disconnect(client, now: $1) }
        }
    }

    /// The permission, and whether the location service is on.
    ///
    /// The call waits at most one second for both values. If they are unknown after that second,
    /// the permission counts as undecided, and the service counts as on.
    public nonisolated var state: LocationState {
        onReactor { $0.start() }
        _ = isKnown.wait(timeout: .now() + .seconds(1))
        return snapshot.withLock { $0.state }
            ?? LocationState(permission: .notDetermined, isEnabled: true)
    }

    /// Reports the state to a manager; if the state is not known yet, all managers get it later.
    public nonisolated func reportState(to client: LocationClient) {
        onReactor { location in location.perform { machine, _ in machine.reportState(to: client) } }
    }

    /// Asks the user for permission, unless the user has decided.
    public nonisolated func requestPermission(always: Bool) {
        Task {
            do {
                let answer = try await permissions.request(always)
                onReactor { location in
                    location.perform { $0.permissionAnswered(answer, now: $1) }
                }
            } catch {
                Log.engine.warning(
                    "permission to know the location could not be requested: \(error)")
                onReactor { location in
                    location.perform { $0.permissionAnswered(nil, now: $1) }
                }
            }
        }
    }

    /// Starts updates, or changes the need of running updates.
    ///
    /// A start cancels a pending request for one place.
    public nonisolated func startUpdates(_ need: LocationNeed, of client: LocationClient) {
        onReactor { location in
            location.perform { $0.startUpdates(need, of: client, now: $1) }
        }
    }

    /// Ends the reports of places, and cancels a pending request for one place.
    public nonisolated func stopUpdates(of client: LocationClient) {
        onReactor { location in location.perform { $0.stopUpdates(of: client, now: $1) } }
    }

    /// Requests one place.
    ///
    /// The report is a place or a failure; a cancelled request gets no report.
    public nonisolated func requestFix(_ need: LocationNeed, of client: LocationClient) {
        onReactor { location in
            location.perform { $0.requestFix(need, of: client, now: $1) }
        }
    }

    /// Watches a region.
    public nonisolated func monitor(_ region: NotificationRegion) {
        // An invalid region must not replace a watched region.
        if region.isValid {
            snapshot.withLock { $0.regions[region.identifier] = region }
        }
        onReactor { location in location.perform { $0.monitor(region, now: $1) } }
    }

    /// Ends the watch for a region.
    public nonisolated func stopMonitoring(_ identifier: String) {
        snapshot.withLock { $0.regions[identifier] = nil }
        onReactor { location in location.perform { $0.stopMonitoring(identifier, now: $1) } }
    }

    /// The regions that the app watches.
    public nonisolated var monitoredRegions: [NotificationRegion] {
        snapshot.withLock { Array($0.regions.values) }
    }

    /// Reports once whether the device is inside a region.
    public nonisolated func requestSide(
        of region: NotificationRegion, for client: LocationClient
    ) {
        onReactor { location in
            location.perform { $0.requestSide(of: region, for: client, now: $1) }
        }
    }

    // MARK: Effects

    private func start() {
        guard !isStarted else { return }
        isStarted = true
        do throws(NotificationError) {
            try clock.start { [weak self] _ in
                self?.onReactor { location in location.perform { $0.advance(now: $1) } }
            }
        } catch {
            Log.engine.error("requests for the location may never time out: \(error.message)")
        }
        Task {
            await source.follow { [weak self] event in
                self?.onReactor { location in
                    location.perform { $0.locationReported(event, now: $1) }
                }
            }
            let status = await source.status()
            let permission = await readPermission()
            perform { $0.started(permission, status, now: $1) }
        }
    }

    private func readPermission() async -> LocationPermission {
        do {
            return try await permissions.read()
        } catch {
            Log.engine.warning("the permission to know the location was not read: \(error)")
            return .notDetermined
        }
    }

    private func perform(
        _ event: (inout AppLocationMachine, ClockReading) -> [AppLocationMachine.Effect]
    ) {
        let effects = event(&machine, clock.now())
        let state = machine.state
        snapshot.withLock { $0.state = state }
        if state != nil, !hasAnnounced {
            hasAnnounced = true
            isKnown.leave()
        }
        for effect in effects {
            switch effect {
            case .watch(let need): source.watch(need)
            case .arm(let boot): clock.arm(ClockAlarms(boot: boot))
            case .report(let client, let report): send(report, to: client)
            }
        }
    }

    private func send(_ report: LocationReport, to client: LocationClient?) {
        if case .monitoringFailed(let region, _) = report {
            snapshot.withLock { snapshot in
                guard snapshot.regions[region.identifier] == region else { return }
                snapshot.regions[region.identifier] = nil
            }
        }
        if let client {
            listeners[client]?(report)
        } else {
            for key in listeners.keys.sorted(by: { $0.number < $1.number }) {
                listeners[key]?(report)
            }
        }
    }
}
