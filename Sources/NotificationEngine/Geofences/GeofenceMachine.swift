package import NotificationModel
package import NotificationStore

/// Decides when the device enters and leaves the regions of pending requests; pure.
///
/// It owns one fence for each request. A fence has the circle, the side on which the device is
/// known to be, and a change of side that is not confirmed yet.
///
/// It reports one crossing for each real crossing. The first known side is no crossing. Noise at
/// the boundary and a single wrong fix cause no crossing.
///
/// It never reads a clock: times are microseconds of the boot-time clock.
///
/// Source: Apple, "Region Monitoring and iBeacon": a device has to pass the boundary by a distance,
/// and to stay beyond it for 20 seconds.
package struct GeofenceMachine: Hashable, Sendable {
    /// The numbers that the decisions use; times are in microseconds, lengths in metres.
    package struct Rules: Hashable, Sendable {
        /// The distance from the boundary that makes a fix certain, in multiples of the fix's
        /// accuracy.
        package var confidence = 1.0
        /// The distance beyond the boundary that counts as outside: a share of the radius, bounded
        /// by `cushion`.
        package var cushionShare = 0.1
        package var cushion = 20.0...200.0
        /// How long the device must stay on the new side.
        package var confirmation: Int64 = 20_000_000
        /// The greatest age of a fix that says where the device is.
        package var maximumAge: Int64 = 120_000_000
        /// The worst accuracy of a fix that counts for every region.
        ///
        /// For a region with a larger radius, the radius is the limit.
        package var maximumAccuracy = 1_000.0
        /// The accuracy of a fix that states no accuracy.
        package var unknownAccuracy = LocationFix.unknownAccuracy
        /// The speed in metres per second above which a fix is wrong.
        package var maximumSpeed = 300.0
        /// The time without a good fix after which an exact place is requested.
        package var maximumGap: Int64 = 600_000_000

        package init() {}
    }

    private struct Position: Hashable {
        var place: Place
        var accuracy: Double
        var boot: Int64
    }

    private struct Candidate: Hashable {
        /// The times of the first and the latest fix on the new side.
        var since, latest: Int64
        /// Whether the latest fix is too old, so that only a new fix can confirm the change.
        ///
        /// A suspend can cause this.
        var isStale = false
    }

    private struct Fence: Hashable {
        let region: NotificationRegion
        let repeats: Bool
        /// The confirmed side; nil if it is unknown.
        var isInside: Bool?
        var candidate: Candidate?
    }

    private let rules: Rules
    private var fences: [NotificationKey: Fence] = [:]
    private var counts: [ApplicationID: Int] = [:]
    /// The apps without permission to use the location; their fences wait.
    private var unwatched: Set<ApplicationID> = []
    /// The last good fix; a later fix that is too far away in too short a time is doubtful.
    private var anchor: Position?
    /// Whether the last good fix is recent enough to decide how precise the next fix must be.
    private var isLocated = false
    /// A fix that is too far from the last good fix; a later fix at the same place confirms it.
    private var doubtful: Position?
    /// The last fix; nil if it did not count when it came.
    private var latest: Position?

    package init(rules: Rules = Rules()) {
        self.rules = rules
    }

    package var isEmpty: Bool { fences.isEmpty }

    /// The side of a region on which the device is known to be; nil if it is unknown.
    package func side(of key: NotificationKey) -> Bool? { fences[key]?.isInside }

    /// Whether this request has a fence; without permission, the fence waits.
    package func isArmed(_ key: NotificationKey) -> Bool { fences[key] != nil }

    /// The number of an app's regions, without the region of the request `identifier`.
    package func count(of app: ApplicationID, besides identifier: String? = nil) -> Int {
        guard let identifier else { return counts[app, default: 0] }
        let key = NotificationKey(app: app, identifier: identifier)
        return counts[app, default: 0] - (fences[key] == nil ? 0 : 1)
    }

    // MARK: Requests

    /// Watches the region of a request; a former region of the same key is forgotten.
    package mutating func arm(_ stored: StoredRegion) {
        if fences[stored.key] == nil { counts[stored.key.app, default: 0] += 1 }
        fences[stored.key] = Fence(
            region: stored.region, repeats: stored.repeats, isInside: stored.isInside)
    }

    package mutating func load(_ stored: [StoredRegion]) {
        for region in stored where fences[region.key] == nil { arm(region) }
    }

    /// Ends the watch for a request, if it waits for a region.
    package mutating func disarm(_ key: NotificationKey) {
        guard fences.removeValue(forKey: key) != nil else { return }
        counts[key.app, default: 1] -= 1
        guard counts[key.app] == 0 else { return }
        counts[key.app] = nil
        unwatched.remove(key.app)
    }

    /// Ends the watch for a request, if it waits for this region.
    package mutating func disarm(_ key: NotificationKey, from region: NotificationRegion) {
        if fences[key]?.region == region { disarm(key) }
    }

    package mutating func disarm(_ app: ApplicationID) {
        guard counts[app] != nil else { return }
        for key in fences.keys where key.app == app { disarm(key) }
    }

    /// The apps with regions, in the order of their ids.
    package var apps: [ApplicationID] { counts.keys.sorted { $0.rawValue < $1.rawValue } }

    /// Starts or stops watching the regions of an app; returns changes for the sides that it
    /// forgets.
    package mutating func setWatched(
        _ isWatched: Bool, _ app: ApplicationID
    ) -> [RegionChange] {
        guard !isWatched else {
            unwatched.remove(app)
            return []
        }
        return unwatched.insert(app).inserted ? forgetSides { $0.app == app } : []
    }

    private var watched: [NotificationKey: Fence] {
        unwatched.isEmpty ? fences : fences.filter { !unwatched.contains($0.key.app) }
    }

    // MARK: Fixes

    /// Takes a fix, and returns the sides that became known or changed.
    package mutating func locate(_ fix: LocationFix, now: ClockReading) -> [RegionChange] {
        latest = accept(fix, now: now)
        guard let position = latest else { return advance(boot: now.boot) }
        // Confirm the changes that are due at the time of the fix. The fix may contradict the
        // changes that are due later.
        var changes = confirm(at: position.boot)
        for key in Array(watched.keys) {
            changes += observe(position, key)
        }
        return (changes + advance(boot: now.boot)).sorted()
    }

    /// Compares a new region with the last fix, because the next fix comes only after a move.
    ///
    /// The other regions are not compared again, because one fix must not count as two fixes.
    mutating func observeLatest(_ key: NotificationKey) -> [RegionChange] {
        guard let latest else { return [] }
        return observe(latest, key)
    }

    /// Confirms changes of side up to this time, and returns them.
    package mutating func advance(boot: Int64) -> [RegionChange] {
        if let anchor, boot.saturatingSubtract(anchor.boot) >= rules.maximumGap {
            isLocated = false
        }
        return confirm(at: boot).sorted()
    }

    /// Forgets every side, because the device may have moved unseen.
    package mutating func forgetSides() -> [RegionChange] {
        (anchor, doubtful, latest, isLocated) = (nil, nil, nil, false)
        return forgetSides { _ in true }
    }

    private mutating func forgetSides(
        where isForgotten: (NotificationKey) -> Bool
    ) -> [RegionChange] {
        var changes: [RegionChange] = []
        for (key, fence) in fences where isForgotten(key) {
            fences[key]?.candidate = nil
            guard fence.isInside != nil else { continue }
            fences[key]?.isInside = nil
            changes.append(RegionChange(key: key, region: fence.region))
        }
        return changes.sorted()
    }

    /// The fix as a position; nil if the fix is old, is impossible, or contradicts the previous
    /// fix.
    private mutating func accept(_ fix: LocationFix, now: ClockReading) -> Position? {
        guard (-90...90).contains(fix.latitude), (-180...180).contains(fix.longitude),
            fix.accuracy.isFinite
        else { return nil }
        let age = max(0, fix.date.map { now.wall.microseconds(since: $0) } ?? 0)
        let position = Position(
            place: Place(latitude: fix.latitude, longitude: fix.longitude),
            accuracy: fix.accuracy > 0 ? fix.accuracy : rules.unknownAccuracy,
            boot: now.boot.saturatingSubtract(age))
        guard age <= rules.maximumAge, position.boot >= anchor?.boot ?? .min else { return nil }
        guard isPlausible(position, after: anchor) else {
            return acceptDoubtful(position)
        }
        doubtful = nil
        // An inaccurate fix must not be the anchor: a jump of the next fix would look plausible.
        if position.accuracy <= rules.maximumAccuracy {
            (anchor, isLocated) = (position, true)
        }
        return position
    }

    /// Accepts a jump if two fixes agree on the new place and are at least `confirmation` apart.
    ///
    /// Without this rule, one wrong anchor would make every correct fix implausible.
    private mutating func acceptDoubtful(_ position: Position) -> Position? {
        guard position.accuracy <= rules.maximumAccuracy else { return nil }
        guard let doubtful, isPlausible(position, after: doubtful) else {
            self.doubtful = position
            return nil
        }
        guard position.boot.saturatingSubtract(doubtful.boot) >= rules.confirmation else {
            return nil
        }
        (anchor, isLocated, self.doubtful) = (position, true, nil)
        return position
    }

    private func isPlausible(_ position: Position, after former: Position?) -> Bool {
        guard let former else { return true }
        let way =
            position.place.distance(to: former.place) - position.accuracy - former.accuracy
        let microseconds = max(1_000_000, position.boot.saturatingSubtract(former.boot))
        return way <= rules.maximumSpeed * Double(microseconds) / 1_000_000
    }

    /// The side of a region on which the device certainly is; nil if the fix does not tell.
    private func side(of region: NotificationRegion, _ position: Position) -> Bool? {
        guard position.accuracy <= max(region.radius, rules.maximumAccuracy) else { return nil }
        let distance = position.place.distance(to: region.center)
        let margin = position.accuracy * rules.confidence
        if distance + margin <= region.radius { return true }
        let share = region.radius * rules.cushionShare
        let cushion = min(max(share, rules.cushion.lowerBound), rules.cushion.upperBound)
        return distance - margin >= region.radius + cushion ? false : nil
    }

    private mutating func observe(_ position: Position, _ key: NotificationKey) -> [RegionChange] {
        guard let fence = fences[key], let isInside = side(of: fence.region, position) else {
            return []
        }
        guard let known = fence.isInside else {
            fences[key]?.isInside = isInside
            return [RegionChange(key: key, region: fence.region, isInside: isInside)]
        }
        guard isInside != known else {
            fences[key]?.candidate = nil
            return []
        }
        let since = fence.candidate?.since ?? position.boot
        fences[key]?.candidate = Candidate(since: since, latest: position.boot)
        return position.boot.saturatingSubtract(since) >= rules.confirmation ? cross(key) : []
    }

    /// Confirms the changes of side that no fix has contradicted for the time `confirmation`.
    private mutating func confirm(at boot: Int64) -> [RegionChange] {
        var changes: [RegionChange] = []
        for (key, fence) in watched {
            guard let candidate = fence.candidate, !candidate.isStale,
                boot >= candidate.since.saturatingAdd(rules.confirmation)
            else { continue }
            if boot.saturatingSubtract(candidate.latest) > rules.maximumAge {
                fences[key]?.candidate?.isStale = true
            } else {
                changes += cross(key)
            }
        }
        return changes
    }

    /// Changes the side; if a request without repeats fires, its watch ends.
    private mutating func cross(_ key: NotificationKey) -> [RegionChange] {
        guard let fence = fences[key], let known = fence.isInside else { return [] }
        let fires = known ? fence.region.onExit : fence.region.onEntry
        fences[key]?.isInside = !known
        fences[key]?.candidate = nil
        if fires, !fence.repeats { disarm(key) }
        return [RegionChange(key: key, region: fence.region, isInside: !known, fires: fires)]
    }

    // MARK: The clock and the source

    /// The time of the next `advance` on the boot-time clock in microseconds; nil if none is
    /// needed.
    package var deadline: Int64? {
        let watched = watched
        guard !watched.isEmpty else { return nil }
        let ends = watched.values.compactMap { fence in
            fence.candidate.flatMap {
                $0.isStale ? nil : $0.since.saturatingAdd(rules.confirmation)
            }
        }
        let gap = isLocated ? anchor?.boot.saturatingAdd(rules.maximumGap) : nil
        return (ends + [gap].compactMap(\.self)).min()
    }

    /// How precise the fixes must be; nil if no region is watched.
    ///
    /// Far from every boundary, the accuracy of a street is enough, and a satellite receiver stays
    /// off. `former` adds hysteresis, so that the need does not switch back and forth. The
    /// distances have few steps, so that the need changes rarely.
    package func need(after former: LocationNeed?) -> LocationNeed? {
        guard !watched.isEmpty else { return nil }
        guard isLocated, let anchor, let nearest = distanceToBoundary(from: anchor) else {
            return LocationNeed(isExact: true, distance: Self.distances[0])
        }
        let isExact = nearest < (former?.isExact == true ? 3_000 : 2_000)
        let distance = Self.distances.last { Double($0) <= nearest / 2 } ?? Self.distances[0]
        return LocationNeed(isExact: isExact, distance: distance)
    }

    private static let distances: [UInt32] = [50, 100, 200, 400, 800, 1_600, 3_200, 5_000]

    private func distanceToBoundary(from position: Position) -> Double? {
        watched.values.map { fence in
            let distance = position.place.distance(to: fence.region.center)
            return max(0, abs(distance - fence.region.radius) - position.accuracy)
        }.min()
    }
}
