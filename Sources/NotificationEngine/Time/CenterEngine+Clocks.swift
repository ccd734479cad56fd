internal import Logging
import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Handles a clock event: corrects stored dates, and claims due rows.
    func clockReported(_ event: ClockEvent) {
        // The alarm that fired is no longer set, so an equal alarm must be set again.
        lastAlarms = nil
        let now = clock.now()
        switch event {
        case .alarm: break
        case .resumed: Log.engine.info("the machine is awake again; due requests are checked")
        case .wallClockSet:
            let last = state.wallWasSet(now: now)
            changeDates("dates after a clock change") { try await $0.followWallClock(last: last) }
        case .timeZoneChanged:
            changeDates("dates in the new time zone") {
                try await $0.store.followTimeZone(now: now)
            }
        case .zoneDataChanged:
            changeDates("dates by new zone rules") { try await $0.followZoneData(hasChanged: true) }
        }
        perform(state.clockRang(now: now))
    }

    /// Handles the clock changes since the store was last used.
    func followClocks() {
        inBackground("the move of dates after a clock change") { engine in
            try await engine.followWallClock(last: nil)
            try await engine.store.followTimeZone(now: engine.clock.now())
            try await engine.followZoneData(hasChanged: false)
        }
    }

    private func followWallClock(last: Instant?) async throws {
        try await store.followWallClock(now: clock.now(), last: last)
    }

    private func followZoneData(hasChanged: Bool) async throws {
        try await store.followZoneData(
            state.schedule.zones.version, hasChanged: hasChanged, now: clock.now())
    }

    /// Corrects stored dates, and reports a change of every app's pending list.
    ///
    /// Early rows become pending first, so that `change` corrects their dates, too.
    private func changeDates(
        _ what: String,
        _ change: @escaping @Sendable (isolated CenterEngine) async throws -> Void
    ) {
        inBackground(what) { engine in
            try await engine.changeEarly(where: { _ in true }) {
                engine, early throws(NotificationError) in
                try await engine.store.requeue(early)
            }
            try await change(engine)
            engine.listsChanged(.pending, of: nil)
        }
    }
}
