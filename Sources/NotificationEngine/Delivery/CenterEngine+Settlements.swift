internal import Logging
import NotificationModel
internal import NotificationStore
internal import Reactor

// Stores how deliveries ended.
extension CenterEngine {
    /// How long the mark "delivered" of a row waits, so that the next commit can include it.
    ///
    /// In a burst, the next commit comes within this time. A longer wait would leave more marks to
    /// the commit that claims the next due rows, and would delay these rows.
    private static let markDelay: Duration = .milliseconds(5)
    /// If this many marks wait, the store writes them at once.
    private static let markLimit = DeliveryQueue.window / 2

    /// Stores how a delivery ended, together with all deliveries that end in this iteration of the
    /// reactor's loop.
    func storeSettlement(_ settlement: Settlement, of token: UInt64) {
        settlements.append((token, settlement))
        guard settlements.count == 1 else { return }
        deadline(after: .zero) { $0.storeSettlements() }
    }

    /// Hands the marks to the store, which writes them with the next change or after `markDelay`.
    ///
    /// A read of the store writes the marks first, so no list shows a delivered row as pending. The
    /// store writes the marks at once if the engine stops, if a caller of `untilAtRest` waits, or
    /// if `markLimit` is reached.
    private func storeSettlements() {
        let batch = settlements
        settlements = []
        // This task starts before the task of a claim, so the store gets the marks first.
        Task { await store(batch) }
        configuration.step(.settling)
        perform(state.marksHanded(batch.map(\.token), now: clock.now()))
        guard !state.isStopping, !restGate.hasWaiters, state.marking.count < Self.markLimit else {
            return flushMarks()
        }
        guard markDeadline == nil else { return }
        markDeadline = deadline(after: Self.markDelay) { $0.flushMarks() }
    }

    func flushMarks() {
        markDeadline?.cancel()
        markDeadline = nil
        // The task that hands over the marks started earlier, so it runs first.
        Task { store.flush() }
    }

    private func store(_ batch: [(token: UInt64, settlement: Settlement)]) async {
        let settlements = batch.map(\.settlement)
        do {
            let old = try await store.settle(settlements, now: clock.now(), isDeferred: true)
            configuration.settled(settlements)
            for settlement in settlements { logFailure(of: settlement) }
            listsChanged(by: settlements)
            notifyIdleWaiters(of: Set(settlements.map(\.claimed.app)))
            perform(state.rowsSettled(batch.map(\.token), now: clock.now()))
            watchRegions(of: settlements)
            notificationsRetired(old)
        } catch {
            for (token, settlement) in batch {
                storeFailed(.settle(token: token, settlement), error)
            }
        }
    }

    /// Logs why a notification was not shown.
    ///
    /// Call this after the outcome is stored, so that failed attempts to store it log nothing here.
    private func logFailure(of settlement: Settlement) {
        guard case .failed(_, let reason) = settlement.outcome else { return }
        let name = settlement.claimed.request.identifier.quotedForMessage()
        Log.engine.warning("\(name) was not shown: \(reason)")
    }

    // MARK: Notifications that leave the list

    /// Closes the popups of notifications that left the delivered list, and reports the change.
    func notificationsRetired(_ old: RetiredNotifications) {
        for key in old.unawaited { perform(state.popupGone(key)) }
        guard !old.keys.isEmpty else { return }
        for app in Set(old.keys.map(\.app)) { listsChanged(.delivered, of: app) }
        notifyIdleWaiters(of: Set(old.keys.map(\.app)))
        perform([.closePopups(old.keys)])
    }

    /// Closes the popups and the text dialogs of notifications that left the delivered list.
    ///
    /// The presenter runs on this thread, so no popup of a replacement can appear before the close.
    func closePopups(of keys: [NotificationKey]) {
        for key in keys { _ = state.recent.remove(key) }
        let alone = state.withoutSuccessor(keys)
        if !alone.isEmpty {
            presenter.closePopups(of: alone)
            closeDialogs(of: Set(alone))
        }
        store.popupsClosed(keys)
    }

    func reportSilence(about keys: [NotificationKey]) {
        for (app, keys) in Dictionary(grouping: keys, by: \.app) {
            let names = keys.map { $0.identifier.quotedForMessage() }.joined(separator: ", ")
            Log.engine.warning(
                """
                \(app) did not say within 3 s how to show these notifications, so only the list \
                has them: \(names). The app's delegate has to call the completion handler of \
                willPresent.
                """)
        }
    }

    // MARK: Unanswered posts at shutdown

    func keepUnanswered(by server: String?) async {
        let rows = state.unanswered
        guard let server, !rows.isEmpty else { return }
        do {
            try await store.keepUnanswered(rows, by: server)
            Log.engine.notice(
                "the notification server left \(rows.count) posts unanswered; the store keeps them")
        } catch {
            Log.engine.error("\(rows.count) notifications may be shown again: \(error)")
        }
    }

    /// Stores outcomes for the posts that an earlier run left unanswered.
    ///
    /// If the server that got a post still runs, the post counts as shown. If it does not run, the
    /// row becomes due again.
    func settleUnanswered(by server: String?) {
        inBackground("the settlement of posts from the last run") { engine in
            await engine.retrying(.settleUnanswered(by: server)) {
                let (settlements, retired) = try await engine.store.settleUnanswered(
                    by: server, now: engine.clock.now())
                engine.notificationsRetired(retired)
                engine.listsChanged(by: settlements)
                engine.watchRegions(of: settlements)
            }
        }
    }
}
