internal import Logging
import NotificationModel
internal import NotificationStore
internal import Reactor

// Limits the number of apps that have something in the store.
extension CenterEngine {
    /// Adds a new app to `knownApps`, or throws if the store has reached its limit of apps.
    ///
    /// At the limit, this method first forgets the unused apps. For a known app, this method does
    /// not suspend, so that calls keep their order.
    func admit(_ app: ApplicationID) async throws(NotificationError) {
        guard !knownApps.contains(app) else { return }
        if knownApps.count >= store.limits.apps { try await forgetUnusedApps() }
        guard knownApps.contains(app) || knownApps.count < store.limits.apps else {
            throw NotificationError(
                .limitReached,
                "\(app) was refused: the store already has \(store.limits.apps) apps, the maximum. "
                    + "\(Limits.apps.remedy).")
        }
        knownApps.insert(app)
    }

    /// Waits while the store forgets unused apps.
    ///
    /// An app that connects waits here. Without the wait, the engine could find the app's identity
    /// in memory and not store it again, although the store is deleting it.
    func waitForForgetting() async {
        while !forgettingGate.isOpen { await forgettingGate.valuePromise().value() }
    }

    private func forgetUnusedApps() async throws(NotificationError) {
        // If another call is forgetting the apps now, it makes room for this call, too.
        guard forgettingGate.isOpen else { return await waitForForgetting() }
        forgettingGate.close()
        defer { forgettingGate.open(()) }
        let forgotten = try await store.forgetUnusedApps(but: state.appsInUse)
        // While the store forgot an app, the app may have connected or requested permission.
        for app in Set(forgotten).subtracting(state.appsInUse) { state.forget(app) }
        if !forgotten.isEmpty {
            Log.engine.notice("forgot \(forgotten.count) apps that have nothing in the store")
        }
        knownApps = try await store.knownApps().union(state.appsInUse)
    }
}

extension EngineState {
    /// The apps that are connected, or whose question to the user is open.
    var appsInUse: Set<ApplicationID> {
        Set(sessions.values.map(\.app)).union(asking.keys.map(\.app))
    }
}

/// The rate limit of requests: each app has a bucket that fills at a steady rate.
///
/// A full bucket allows more requests than an app may have pending. So only a program that adds
/// requests without end can empty its bucket.
struct AddAllowance {
    private struct Bucket {
        var rest: Double
        /// The time at which `rest` was computed, on the boot-time clock in microseconds.
        var time: Int64

        /// The content of the bucket at this time.
        func level(now: Int64, limits: StoreLimits) -> Double {
            let passed = Double(max(now - time, 0)) / 1_000_000
            return min(rest + passed * Double(limits.addsPerSecond), Double(limits.addBurst))
        }
    }

    private var buckets: [ApplicationID: Bucket] = [:]

    /// Charges the requests of one call, all or none.
    ///
    /// Returns nil if the bucket has enough; otherwise the seconds until it has enough.
    mutating func spendAllowance(
        _ app: ApplicationID, count: Int = 1, now: Int64, limits: StoreLimits
    ) -> Double? {
        let depth = Double(limits.addBurst)
        let level = buckets[app]?.level(now: now, limits: limits) ?? depth
        // A call with more requests than the bucket can hold needs a full bucket.
        let cost = min(Double(count), depth)
        let isAllowed = level >= cost
        buckets[app] = Bucket(rest: isAllowed ? level - cost : level, time: now)
        if buckets.count > 1_024 {
            // Drop full buckets: an app with a full bucket is like an app that never added
            // anything.
            buckets = buckets.filter { $0.value.level(now: now, limits: limits) < depth }
        }
        return isAllowed ? nil : (cost - level) / Double(limits.addsPerSecond)
    }
}
