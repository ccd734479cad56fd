internal import GRDB
package import NotificationModel

/// A pending request that waits for a region.
package struct StoredRegion: Hashable, Sendable {
    package var key: NotificationKey
    package var region: NotificationRegion
    package var repeats: Bool
    /// Whether the device was last known to be inside the region; nil if that is not known.
    package var isInside: Bool?

    package init(
        key: NotificationKey, region: NotificationRegion, repeats: Bool, isInside: Bool? = nil
    ) {
        self.key = key
        self.region = region
        self.repeats = repeats
        self.isInside = isInside
    }

    /// The region that a stored request waits for; nil if it waits for something else.
    package init?(_ claimed: ClaimedRequest) {
        guard case .region(let region, let repeats) = claimed.request.trigger else { return nil }
        self.init(
            key: claimed.key, region: region, repeats: repeats, isInside: claimed.isInside)
    }
}

/// The new state of a region: whether the device is inside, and whether the request fires.
package struct RegionChange: Hashable, Sendable, Comparable {
    package var key: NotificationKey
    package var region: NotificationRegion
    /// Whether the device is inside the region; nil if that is no longer known.
    package var isInside: Bool?
    /// Whether this change makes the request due.
    package var fires: Bool

    package init(
        key: NotificationKey, region: NotificationRegion, isInside: Bool? = nil, fires: Bool = false
    ) {
        self.key = key
        self.region = region
        self.isInside = isInside
        self.fires = fires
    }

    package static func < (left: RegionChange, right: RegionChange) -> Bool {
        (left.key.app.rawValue, left.key.identifier)
            < (right.key.app.rawValue, right.key.identifier)
    }
}

// Requests that wait for a region.
//
// Such a request has no date. Its payload contains `isInside`, so the value is moved, rescued and
// deleted together with the request. For a new request the value is nil.
extension CenterStore {
    /// The pending requests that wait for a region.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func regions(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [StoredRegion] {
        try await change("read") { database in
            // Only these requests have the due time `never`, so the index on `due_wall` finds them.
            try database.rows(
                """
                \(RequestRow.selection) WHERE state = 0 AND boot_id IS NULL AND due_wall = ?
                """, [DueTime.never.wall.microseconds]
            ).compactMap { self.claimed(RequestRow($0)).flatMap(StoredRegion.init) }
        }
    }

    /// Stores `isInside` of regions; a change with `fires` also makes its request due.
    ///
    /// A request that is due already, and is not yet being presented, fires only once.
    ///
    /// Returns the changes that do not apply, because the request is gone or waits for another
    /// region.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func apply(
        _ changes: [RegionChange], now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [RegionChange] {
        try await change("changed") { database in
            try changes.filter { try !self.apply($0, now: now, in: database) }
        }
    }

    private func apply(
        _ change: RegionChange, now: ClockReading, in database: Database
    ) throws -> Bool {
        guard let found = try waiting(change.key, in: database),
            StoredRegion(found.request)?.region == change.region
        else { return false }
        var claimed = found.request
        claimed.isInside = change.isInside
        if change.fires, found.isOnItsWay || claimed.due == .never {
            claimed.due = DueTime(wall: now.wall, boot: now.boot)
        }
        try claimed.encode()
        try update(claimed, in: database)
        return true
    }
}
