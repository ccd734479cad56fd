import NotificationModel
import NotificationStore

/// Decides which reports an app's location managers get, and how precisely the place is needed;
/// pure.
///
/// It owns the managers' needs, the watched regions, and the queries that ask whether the device is
/// inside a region.
///
/// A request for one place ends with one place or one failure, unless its manager starts or stops
/// updates. No place is reported without the user's permission.
///
/// It never reads a clock. `GeofenceMachine` decides about crossings.
struct AppLocationMachine: Hashable {
    enum Effect: Hashable {
        case watch(LocationNeed?)
        /// Report to one manager; nil for all.
        case report(LocationClient?, LocationReport)
        /// Call `advance` at this time of the boot-time clock, in microseconds; nil for never.
        case arm(Int64?)
    }

    private struct Client: Hashable {
        var updates: LocationNeed?
        /// The last place that was reported to this manager.
        var told: Place?
        /// Whether this manager got the failure that explains the missing updates.
        var hasFailed = false
        var request: LocationNeed?
        /// The end of the wait for the requested place, on CLOCK_MONOTONIC in microseconds.
        ///
        /// This clock stops during a suspend, so a suspend does not shorten the wait. The deadline
        /// is nil until the user gives permission.
        var deadline: Int64?
    }

    private struct Monitored: Hashable {
        let region: NotificationRegion
        var isAnnounced = false
    }

    private struct Query: Hashable {
        let client: LocationClient
        let region: NotificationRegion
        /// The end of the wait for the answer; it works like `Client.deadline`.
        var deadline: Int64?
    }

    /// The longest wait for a place or for the answer to a query, in microseconds.
    static let timeout: Int64 = 30_000_000

    private let app: ApplicationID
    private var clients: [LocationClient: Client] = [:]
    private var regions: [String: Monitored] = [:]
    private var queries: [NotificationKey: Query] = [:]
    private var geofences: GeofenceMachine
    private var lastNumber: UInt64 = 0
    /// The user's answer; nil before it was read.
    private var permission: LocationPermission?
    private var status = LocationStatus.unknown
    private var need: LocationNeed?
    /// The last place; nil if the device may have left it without a report.
    private var place: LocationFix?
    /// The precision that was needed when the last place came.
    private var precision: LocationNeed.Precision?
    private var reported: LocationState?

    init(app: ApplicationID, rules: GeofenceMachine.Rules = .init()) {
        self.app = app
        geofences = GeofenceMachine(rules: rules)
    }

    var state: LocationState? {
        guard let permission else { return nil }
        let isEnabled = status != .missing && status != .off
        return LocationState(
            permission: isEnabled && status != .denied ? permission : .denied,
            isEnabled: isEnabled)
    }

    private var isAllowed: Bool { permission?.allows ?? false }

    // MARK: Managers

    mutating func connect(_ client: LocationClient) {
        clients[client] = Client()
    }

    mutating func disconnect(_ client: LocationClient, now: ClockReading) -> [Effect] {
        clients[client] = nil
        for (key, query) in queries where query.client == client {
            queries[key] = nil
            geofences.disarm(key)
        }
        return settle(now: now)
    }

    func reportState(to client: LocationClient) -> [Effect] {
        state.map { [.report(client, .state($0))] } ?? []
    }

    /// Starts updates, or changes the need of running updates.
    ///
    /// A start cancels a pending request for one place, and reports the last place. A changed need
    /// reports no place: a delegate may change its need at each report, and would get endless
    /// reports.
    mutating func startUpdates(
        _ need: LocationNeed, of client: LocationClient, now: ClockReading
    ) -> [Effect] {
        let former = clients[client]?.updates
        clients[client]?.updates = need
        if former == nil || former == need {
            clients[client]?.hasFailed = false
            cancelRequest(of: client)
        }
        let effects = settle(now: now)
        guard former == nil else { return effects }
        clients[client]?.told = nil
        return effects + tellPlace(to: client)
    }

    /// Ends the updates of a manager, and its pending request for one place.
    mutating func stopUpdates(of client: LocationClient, now: ClockReading) -> [Effect] {
        clients[client]?.updates = nil
        cancelRequest(of: client)
        return settle(now: now)
    }

    private mutating func cancelRequest(of client: LocationClient) {
        clients[client]?.request = nil
        clients[client]?.deadline = nil
    }

    mutating func requestFix(
        _ need: LocationNeed, of client: LocationClient, now: ClockReading
    ) -> [Effect] {
        clients[client]?.request = need
        clients[client]?.deadline = nil
        // If the last place was reported for a coarser need, wait: the source reports a more
        // precise place for the new need.
        let isPreciseEnough = precision.map { $0 >= need.precision } ?? false
        let effects = isPreciseEnough ? tellPlace(to: client) : []
        return settle(now: now) + effects
    }

    // MARK: Regions

    mutating func monitor(_ region: NotificationRegion, now: ClockReading) -> [Effect] {
        let isNew = regions[region.identifier] == nil
        guard region.isValid, !isNew || Limits.regions.contains(regions.count + 1)
        else { return [.report(nil, .monitoringFailed(region, .unusable))] }
        geofences.disarm(key(of: region))
        regions[region.identifier] = Monitored(region: region)
        return settle(now: now)
    }

    mutating func stopMonitoring(_ identifier: String, now: ClockReading) -> [Effect] {
        guard let former = regions.removeValue(forKey: identifier) else { return [] }
        geofences.disarm(key(of: former.region))
        return settle(now: now)
    }

    mutating func requestSide(
        of region: NotificationRegion, for client: LocationClient, now: ClockReading
    ) -> [Effect] {
        guard region.isValid else { return [.report(client, .side(region, isInside: nil))] }
        if place != nil, regions[region.identifier]?.region == region,
            let isInside = geofences.side(of: key(of: region))
        {
            return [.report(client, .side(region, isInside: isInside))]
        }
        // Limit the queries: until the user decides, a query has no deadline.
        guard Limits.regions.contains(queries.count + 1) else {
            return [.report(client, .side(region, isInside: nil))]
        }
        lastNumber += 1
        let key = NotificationKey(app: app, identifier: "query \(lastNumber)")
        queries[key] = Query(client: client, region: region)
        return settle(now: now)
    }

    private func key(of region: NotificationRegion) -> NotificationKey {
        NotificationKey(app: app, identifier: "region \(region.identifier)")
    }

    // MARK: Permission and source

    mutating func started(
        _ permission: LocationPermission, _ status: LocationStatus, now: ClockReading
    ) -> [Effect] {
        self.permission = self.permission ?? permission
        if self.status == .unknown { self.status = status }
        return settle(now: now)
    }

    /// Takes the user's answer; if the permission stays undecided, each request for a place fails.
    ///
    /// `answer` is nil if the user could not be asked; an earlier answer then still counts.
    mutating func permissionAnswered(
        _ answer: LocationPermission?, now: ClockReading
    ) -> [Effect] {
        permission = answer ?? permission ?? .notDetermined
        var effects: [Effect] = []
        if permission == .notDetermined {
            effects = endRequests(.denied) { _ in true }
        }
        return effects + settle(now: now)
    }

    mutating func locationReported(_ event: LocationEvent, now: ClockReading) -> [Effect] {
        switch event {
        case .fix(let fix): return locate(fix, now: now)
        case .turnedOff:
            place = nil
            _ = geofences.forgetSides()
            return settle(now: now)
        case .statusChanged(let status):
            self.status = status
            if status != .available { place = nil }
            return settle(now: now)
        }
    }

    private mutating func locate(_ fix: LocationFix, now: ClockReading) -> [Effect] {
        // Drop a fix without valid coordinates, such as NaN: no distance from it can be computed.
        guard isAllowed, need != nil, (-90...90).contains(fix.latitude),
            (-180...180).contains(fix.longitude)
        else { return [] }
        (place, precision) = (fix, need?.precision)
        var effects: [Effect] = []
        for client in clients.keys.sorted(by: { $0.number < $1.number }) {
            effects += tellPlace(to: client)
        }
        return effects + changed(geofences.locate(fix, now: now)) + settle(now: now)
    }

    /// Reports the present place to a manager that requested one place.
    ///
    /// A manager with updates gets its first place, and later each place that is at least
    /// `LocationNeed.distance` from its last place.
    private mutating func tellPlace(to client: LocationClient) -> [Effect] {
        guard let place, let wishes = clients[client] else { return [] }
        let here = Place(latitude: place.latitude, longitude: place.longitude)
        let isFarEnough =
            wishes.updates.map { need in
                wishes.told.map { $0.distance(to: here) >= Double(need.distance) } ?? true
            } ?? false
        guard isFarEnough || wishes.request != nil else { return [] }
        clients[client]?.told = here
        cancelRequest(of: client)
        return [.report(client, .fix(place))]
    }

    // MARK: Time

    /// Ends the waits that took too long, and confirms crossings that have lasted long enough.
    mutating func advance(now: ClockReading) -> [Effect] {
        var effects: [Effect] = []
        for client in clients.keys.sorted(by: { $0.number < $1.number })
        where (clients[client]?.deadline ?? .max) <= now.monotonic {
            effects += tellPlace(to: client)
        }
        effects += endRequests(.unknown) { ($0.deadline ?? .max) <= now.monotonic }
        for (key, query) in queries where (query.deadline ?? .max) <= now.monotonic {
            effects += answer(key, nil)
        }
        return effects + changed(geofences.advance(boot: now.boot)) + settle(now: now)
    }

    /// The time of the next alarm.
    ///
    /// If the system is suspended before that time, the alarm comes too early, and `advance` sets
    /// it again.
    private func alarm(now: ClockReading) -> Int64? {
        let waits = (clients.values.map(\.deadline) + queries.values.map(\.deadline))
            .compactMap(\.self).map { $0.saturatingAdd(now.suspended) }
        return (waits + [geofences.deadline].compactMap(\.self)).min()
    }

    // MARK: Consequences

    /// Brings the managers, the regions and the source in line with the permission and the status.
    private mutating func settle(now: ClockReading) -> [Effect] {
        guard let state else { return [] }
        var effects: [Effect] = []
        if state != reported {
            reported = state
            effects.append(.report(nil, .state(state)))
        }
        if state.permission == .denied {
            effects += deny()
        } else if state.permission.allows {
            effects += allow(now: now)
        }
        let next = isAllowed ? joinedNeed : nil
        if next != need {
            need = next
            if next == nil { place = nil }
            effects.append(.watch(next))
        }
        return effects + [.arm(alarm(now: now))]
    }

    private var joinedNeed: LocationNeed? {
        let wishes = clients.values.flatMap { [$0.updates, $0.request] }.compactMap(\.self)
        return (wishes + [geofences.need(after: need)].compactMap(\.self))
            .reduce(nil) { $1.joined(with: $0) }
    }

    private mutating func allow(now: ClockReading) -> [Effect] {
        var effects: [Effect] = []
        let deadline = now.monotonic.saturatingAdd(Self.timeout)
        for (client, wishes) in clients {
            if wishes.request != nil, wishes.deadline == nil {
                clients[client]?.deadline = deadline
            }
            if status == .noAgent, wishes.updates != nil, !wishes.hasFailed {
                clients[client]?.hasFailed = true
                effects.append(.report(client, .failed(.unknown)))
            }
            if status == .available { clients[client]?.hasFailed = false }
        }
        var armed: [NotificationKey] = []
        for name in regions.keys.sorted() where regions[name]?.isAnnounced == false {
            guard let region = regions[name]?.region else { continue }
            regions[name]?.isAnnounced = true
            geofences.arm(StoredRegion(key: key(of: region), region: region, repeats: true))
            effects.append(.report(nil, .monitoring(region)))
            armed.append(key(of: region))
        }
        for (key, query) in queries where query.deadline == nil {
            queries[key]?.deadline = deadline
            geofences.arm(StoredRegion(key: key, region: query.region, repeats: true))
            armed.append(key)
        }
        guard place != nil else { return effects }
        return effects + changed(armed.flatMap { geofences.observeLatest($0) }.sorted())
    }

    private mutating func deny() -> [Effect] {
        var effects = endRequests(.denied) { _ in true }
        for (client, wishes) in clients where wishes.updates != nil && !wishes.hasFailed {
            clients[client]?.hasFailed = true
            effects.append(.report(client, .failed(.denied)))
        }
        // If the app is allowed and only the location service is off, keep the regions until the
        // service is on again.
        for name in regions.keys.sorted() where status != .off || permission?.allows != true {
            guard let former = regions.removeValue(forKey: name) else { continue }
            geofences.disarm(key(of: former.region))
            effects.append(.report(nil, .monitoringFailed(former.region, .denied)))
        }
        for key in queries.keys { effects += answer(key, nil) }
        return effects
    }

    private mutating func endRequests(
        _ failure: LocationFailure, where isOver: (Client) -> Bool
    ) -> [Effect] {
        var effects: [Effect] = []
        for (client, wishes) in clients where wishes.request != nil && isOver(wishes) {
            cancelRequest(of: client)
            effects.append(.report(client, .failed(failure)))
        }
        return effects
    }

    private mutating func answer(_ key: NotificationKey, _ isInside: Bool?) -> [Effect] {
        geofences.disarm(key)
        guard let query = queries.removeValue(forKey: key) else { return [] }
        return [.report(query.client, .side(query.region, isInside: isInside))]
    }

    private mutating func changed(_ changes: [RegionChange]) -> [Effect] {
        changes.flatMap { change -> [Effect] in
            guard let isInside = change.isInside else { return [] }
            if queries[change.key] != nil { return answer(change.key, isInside) }
            guard change.fires else { return [] }
            return [
                .report(nil, .side(change.region, isInside: isInside)),
                .report(nil, .crossed(change.region, isInside: isInside)),
            ]
        }
    }
}
