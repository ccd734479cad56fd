internal import Logging
import NotificationModel
package import NotificationStore

// Damage to the store from outside, such as removed or replaced files.
extension CenterEngine {
    /// Checks all requests, notifications and responses for damage, and watches the store's files.
    ///
    /// The check also reads rows that no list reads.
    func guardStore() {
        inBackground("the check of the store's rows") { engine in
            try await engine.store.scrub()
            try await engine.removeDamagedRows()
        }
        let watch = StoreWatch(store.layout.directory, reactor: reactor) { [weak self] in
            self?.assumeIsolated { engine in
                engine.inBackground("the check of the store's files") { engine in
                    try await engine.store.checkPlace()
                    engine.storeWatch?.follow()
                }
            }
        }
        storeWatch = watch
        if !watch.isFollowing {
            Log.engine.warning(
                "no inotify instance is free; a removed store is noticed at the next change")
        }
    }

    /// Removes the damaged rows that were found, and keeps a record of each.
    func removeDamaged() {
        guard store.hasMetDamage else { return }
        inBackground("the removal of damaged rows") { try await $0.removeDamagedRows() }
    }

    private func removeDamagedRows() async throws(NotificationError) {
        guard store.hasMetDamage else { return }
        let removed = try await store.removeDamagedRows(at: clock.now().wall)
        listsChanged([.pending, .delivered], of: nil)
        if !removed.notifications.isEmpty { presenter.closePopups(of: removed.notifications) }
        perform(state.regionsLeft(removed.requests, now: clock.now()))
    }
}

extension StoreRules {
    /// The rules of an engine's store; the rules compute dates with this schedule.
    package static func engine(_ schedule: FireSchedule) -> StoreRules {
        StoreRules(
            accepts: RequestCheck.isUsable,
            next: { schedule.next(of: $0, now: $1) },
            afterSkipping: { schedule.afterSkipping($0, now: $1) },
            moved: { schedule.moved($0, now: $1) },
            restoring: { RestorePlan($0, now: $1) })
    }
}

// Changes of the store for which no caller waits.
extension CenterEngine {
    /// Handles the failure of an effect; logs nothing while the engine stops, because failures are
    /// then normal.
    func storeFailed(_ effect: EngineEffect, _ error: any Error) {
        let now = clock.now()
        let code = (error as? NotificationError)?.code
        if !state.isStopping, storeFailures.recordFailure(code, boot: now.boot) {
            Log.engine.error("the store failed, and the change is retried in 1 s: \(error)")
        }
        perform(state.storeFailed(effect, now: now))
    }

    /// Makes the change of an effect; if the change fails, the engine retries the effect.
    ///
    /// A stopping engine retries nothing.
    func retrying(_ effect: EngineEffect, _ change: () async throws -> Void) async {
        do {
            try await change()
        } catch {
            storeFailed(effect, error)
        }
    }

    /// Performs a change whose failure is only logged.
    ///
    /// The actor starts the closures in the order of the calls. So the first call to the store in
    /// each closure keeps this order. Later calls to the store from two closures may alternate.
    func inBackground(
        _ what: String,
        _ change: @escaping @Sendable (isolated CenterEngine) async throws -> Void
    ) {
        changeCount += 1
        Task {
            defer {
                changeCount -= 1
                reportRest()
            }
            do {
                try await change(self)
                notifyIdleWaiters()
            } catch {
                // While the engine stops, failures are normal: the store closes, and the next start
                // repeats this work.
                guard !state.isStopping else { return }
                Log.engine.error("\(what) failed: \(error)")
            }
        }
    }
}

/// Decides which failures of the store are logged; pure.
///
/// If the disk is full, the waiting changes may fail again each second for days. So failures with
/// one error code are logged ever more rarely: only in seconds 1, 2, 4, 8 and so on of the outage.
/// The first failure with another code is logged at once.
struct StoreFailures {
    /// After this many microseconds without a failure of the same code, the next failure begins a
    /// new outage.
    static let longestRest: Int64 = 60_000_000

    private struct Outage {
        /// The number of seconds with failures.
        var seconds: Int
        /// The first failure of the last such second, on the boot-time clock in microseconds.
        var start: Int64
    }

    /// The outages of the last minute, by the codes of their errors.
    private var outages: [NotificationError.Code?: Outage] = [:]

    /// Notes a failure with this code; returns whether it is to be logged.
    mutating func recordFailure(_ code: NotificationError.Code?, boot: Int64) -> Bool {
        outages = outages.filter { boot - $0.value.start <= Self.longestRest }
        let outage = outages[code]
        if let outage, boot - outage.start < EngineState.retryInterval { return false }
        let seconds = (outage?.seconds ?? 0) + 1
        outages[code] = Outage(seconds: seconds, start: boot)
        return seconds & (seconds - 1) == 0
    }
}
