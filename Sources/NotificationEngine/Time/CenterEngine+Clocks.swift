internal import Logging
import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Handles a clock event: corrects stored dates, and claims due rows.
    func clockReported(_ event: ClockEvent) {
        // The fired alarm is unset. Forget the alarms, so that an equal alarm is set again.
        lastAlarms = nil
        let now = clock.now()
        switch event {
        case .alarm: break
        case .resumed: Log.engine.info("the machine is awake again; due requests are checked")
        case .wallClockSet: correctDates(.wallClock(last: state.wallWasSet(now: now)))
        case .timeZoneChanged: correctDates(.timeZone)
        case .zoneDataChanged: correctDates(.zoneData)
        }
        perform(state.clockRang(now: now))
    }

    /// Corrects stored dates; except at the start, reports a change of every app's pending list.
    ///
    /// Rows that were claimed before their due time become pending first, so that their dates are
    /// corrected, too.
    func correctDates(_ cause: DateCorrection) {
        inBackground("the correction of dates") { engine in
            await engine.retrying(.correctDates(cause)) {
                try await engine.changeEarly(where: { _ in true }) {
                    engine, early throws(NotificationError) in
                    try await engine.store.requeue(early)
                }
                try await engine.storeDates(cause)
                // At the start, no watcher has read a list yet.
                if cause != .start { engine.listsChanged(.pending, of: nil) }
            }
        }
    }

    private func storeDates(_ cause: DateCorrection) async throws(NotificationError) {
        switch cause {
        case .start:
            try await store.followWallClock(now: clock.now())
            try await store.followTimeZone(now: clock.now())
            try await followZoneData(hasChanged: false)
        case .wallClock(let last): try await store.followWallClock(now: clock.now(), last: last)
        case .timeZone: try await store.followTimeZone(now: clock.now())
        case .zoneData: try await followZoneData(hasChanged: true)
        }
    }

    private func followZoneData(hasChanged: Bool) async throws(NotificationError) {
        try await store.followZoneData(
            state.schedule.zones.version, hasChanged: hasChanged, now: clock.now())
    }
}

/// The reason for correcting stored dates.
enum DateCorrection: Hashable, Sendable {
    /// The clock or the zones may have changed since the store was last used.
    case start
    /// The wall clock was set; `last` is the latest time that it showed before.
    case wallClock(last: Instant?)
    case timeZone
    case zoneData
}
