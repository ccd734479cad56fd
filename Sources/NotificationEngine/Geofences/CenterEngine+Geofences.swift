internal import Logging
import NotificationModel
internal import NotificationStore
internal import Reactor

// Requests that wait for a region.
extension CenterEngine {
    func followLocation() async throws(NotificationError) {
        await configuration.location?.follow { [weak self] event in
            self?.onReactor { $0.locationReported(event) }
        }
        try await loadRegions()
    }

    /// Reads the stored regions, and watches those that are not watched yet.
    func loadRegions() async throws(NotificationError) {
        state.geofences.load(try await store.regions())
        perform(state.regionsLoaded(now: clock.now()))
    }

    /// Watches the regions of repeating requests whose deliveries have just ended.
    ///
    /// `loadRegions` skips the region of a request that is due or unanswered at the engine's start.
    func watchRegions(of settlements: [Settlement]) {
        if state.lacksRegion(of: settlements) { watchStoredRegions() }
    }

    /// Watches the stored regions that are not watched yet.
    func watchStoredRegions() {
        // Read the regions again: since the caller decided, the store may have removed a request.
        inBackground("the watch for regions") { engine in
            await engine.retrying(.watchStoredRegions) { try await engine.loadRegions() }
        }
    }

    private func locationReported(_ event: LocationEvent) {
        let now = clock.now()
        switch event {
        case .fix(let fix): perform(state.located(fix, now: now))
        case .turnedOff: perform(state.locationTurnedOff(now: now))
        case .statusChanged(let status):
            if let obstacle = status.obstacle {
                Log.engine.warning(
                    """
                    requests that wait for a region do not fire: \(obstacle.reason). \
                    \(obstacle.remedy)
                    """)
            } else {
                Log.engine.info("the location service answers; regions are watched")
            }
        }
    }

    /// Stores whether the device is inside each region.
    ///
    /// A change with `fires` also makes its request due. The commit then reports the new earliest
    /// due time.
    func applyRegions(_ changes: [RegionChange]) {
        inBackground("the crossing of a region") { engine in
            await engine.retrying(.applyRegions(changes)) {
                let gone = try await engine.store.apply(changes, now: engine.clock.now())
                for app in Set(changes.filter(\.fires).map(\.key.app)) {
                    engine.listsChanged(.pending, of: app)
                }
                engine.perform(engine.state.regionsGone(gone, now: engine.clock.now()))
            }
        }
    }

    /// Returns `.never`, the due time of a request until the device crosses the region's boundary.
    ///
    /// As on Apple's platforms, the request is accepted even if no location source is available.
    ///
    /// - Throws: `limitReached` if the app has too many regions.
    func dueTimeOfRegion(
        _ request: NotificationRequest, for app: ApplicationID
    ) throws(NotificationError) -> DueTime {
        try Limits.regions.check(
            state.geofences.count(of: app, besides: request.identifier) + 1, of: "\(app)")
        if configuration.location == nil {
            Log.engine.warning(
                """
                \(app) added \(request.identifier.quotedForMessage()), which waits for a region: \
                the request is kept, but does not fire, because no location source is available
                """)
        }
        return .never
    }
}

// MARK: - Decisions

extension EngineState {
    mutating func located(_ fix: LocationFix, now: ClockReading) -> [EngineEffect] {
        guard !isStopping else { return [] }
        return regionsChanged(geofences.locate(fix, now: now), now: now)
    }

    /// Forgets whether the device was inside each region.
    ///
    /// While the location is off, the device may cross the boundaries unseen.
    mutating func locationTurnedOff(now: ClockReading) -> [EngineEffect] {
        guard !isStopping else { return [] }
        return regionsChanged(geofences.forgetSides(), now: now)
    }

    mutating func regionsDue(now: ClockReading) -> [EngineEffect] {
        guard !isStopping, let deadline = geofences.deadline, deadline <= now.boot else {
            return []
        }
        return regionsChanged(geofences.advance(boot: now.boot), now: now)
    }

    private mutating func regionsChanged(
        _ changes: [RegionChange], now: ClockReading
    ) -> [EngineEffect] {
        (changes.isEmpty ? [] : [.applyRegions(changes)]) + watchLocation(now: now)
    }

    /// Tells the location source how precise its fixes must be, and sets the alarms.
    mutating func watchLocation(now: ClockReading) -> [EngineEffect] {
        guard !isStopping else { return [] }
        let need = geofences.need(after: locationNeed)
        defer { locationNeed = need }
        return (need == locationNeed ? [] : [.watchLocation(need)]) + [.arm(alarms(now: now))]
    }

    // MARK: Requests

    /// Watches the regions of stored requests, and stops watching the regions of replaced requests.
    mutating func regionsAdded(
        _ additions: [StoreAddition], of app: ApplicationID, now: ClockReading
    ) -> [EngineEffect] {
        guard !geofences.isEmpty || additions.contains(where: { $0.region != nil }) else {
            return []
        }
        for addition in additions {
            geofences.disarm(NotificationKey(app: app, identifier: addition.identifier))
            if let region = addition.region { geofences.arm(region) }
        }
        return askForLocation(of: app, now: now) + locationPermissionChanged(of: app, now: now)
            + watchLocation(now: now)
    }

    mutating func regionsLoaded(now: ClockReading) -> [EngineEffect] {
        geofences.apps.flatMap { locationPermissionChanged(of: $0, now: now) }
            + watchLocation(now: now)
    }

    /// Watches the regions of an app if it may know the location; otherwise stops watching them.
    ///
    /// The engine forgets whether the device is inside unwatched regions, because the device may
    /// cross them unseen.
    mutating func locationPermissionChanged(
        of app: ApplicationID, now: ClockReading
    ) -> [EngineEffect] {
        guard geofences.count(of: app) > 0 else { return [] }
        let changes = geofences.setWatched(self[app].mayKnowLocation, app)
        return regionsChanged(changes, now: now)
    }

    /// Asks the user whether an app with a region may know the location.
    private mutating func askForLocation(
        of app: ApplicationID, now: ClockReading
    ) -> [EngineEffect] {
        guard geofences.count(of: app) > 0, !isStopping, !self[app].mayKnowLocation,
            LocationPermission(self[app].location.record) == .notDetermined,
            self[app].location.question == nil
        else { return [] }
        let (number, token) = (nextNumber(), nextNumber())
        return permission(of: app, about: .location) {
            $0.request([], by: number, token: token, now: now)
        }
    }

    mutating func regionsLeft(_ keys: [NotificationKey], now: ClockReading) -> [EngineEffect] {
        for key in keys { geofences.disarm(key) }
        return watchLocation(now: now)
    }

    /// Ends the watch for these regions, but not for regions that have replaced them.
    mutating func regionsGone(_ changes: [RegionChange], now: ClockReading) -> [EngineEffect] {
        for change in changes { geofences.disarm(change.key, from: change.region) }
        return watchLocation(now: now)
    }

    mutating func regionsRemoved(
        _ selection: NotificationSelection, of app: ApplicationID, now: ClockReading
    ) -> [EngineEffect] {
        guard !geofences.isEmpty else { return [] }
        switch selection {
        case .all: geofences.disarm(app)
        case .identifiers(let identifiers):
            for identifier in identifiers {
                geofences.disarm(NotificationKey(app: app, identifier: identifier))
            }
        }
        return watchLocation(now: now)
    }

    /// Whether a repeating request was shown and waits for its region again, but has no geofence.
    func lacksRegion(of settlements: [Settlement]) -> Bool {
        settlements.contains { settlement in
            settlement.repeats && StoredRegion(settlement.claimed) != nil
                && !geofences.isArmed(settlement.claimed.key)
        }
    }
}
