internal import Logging
import NotificationModel
internal import NotificationStore
internal import Reactor

// How attempts ended, on its way to the store.
extension CenterEngine {
    /// How long the mark of a delivered row waits for a commit that comes anyway.
    ///
    /// Long enough for the next of a burst; the next that is due some time later shall not have to
    /// wait for it.
    private static let markDelay: Duration = .milliseconds(5)
    /// How many marks are stored without waiting for one.
    private static let markLimit = DeliveryQueue.window / 2

    /// Stores how an attempt ended, with what ends in the same turn of the reactor.
    func storeSettlement(_ pending: PendingSettlement) {
        if case .failed(_, let reason) = pending.settlement.outcome {
            let name = pending.settlement.claimed.request.identifier.quotedForMessage()
            Log.engine.warning("\(name) was not shown: \(reason)")
        }
        settlements.append(pending)
        guard settlements.count == 1 else { return }
        reactor.deadline(after: .zero) { [weak self] in
            self?.assumeIsolated { $0.storeSettlements() }
        }
    }

    /// Hands the marks to the store, which writes them with the next change.
    ///
    /// Reading is such a change, so that no list shows a delivered row as one on its way. Nothing
    /// waits for the mark itself, unless the engine stops, a test waits for rest, or half of the
    /// window is used.
    private func storeSettlements() {
        let batch = settlements
        settlements = []
        // The task that hands them over begins before that of a claim.
        Task { await store(batch) }
        step(.settling)
        perform(state.marksHanded(batch.map(\.token), now: clock.now()))
        guard !state.isStopping, restWaiters.isEmpty, state.marking.count < Self.markLimit else {
            return flushMarks()
        }
        guard markDeadline == nil else { return }
        markDeadline = reactor.deadline(after: Self.markDelay) { [weak self] in
            self?.assumeIsolated { $0.flushMarks() }
        }
    }

    /// Has the store write the marks now.
    func flushMarks() {
        markDeadline?.cancel()
        markDeadline = nil
        // After the task that hands them over, which began before.
        Task { store.flush() }
    }

    private func store(_ batch: [PendingSettlement]) async {
        let settlements = batch.map(\.settlement)
        do {
            let old = try await store.settle(settlements, now: clock.now(), isDeferred: true)
            settled(settlements)
            changed(by: settlements)
            somethingEnded(of: Set(settlements.map(\.claimed.app)))
            perform(state.settled(batch.map(\.token), now: clock.now()))
            retired(old)
        } catch {
            for pending in batch {
                let settlement = pending.settlement
                failed(
                    .settle(
                        token: pending.token, settlement.claimed, settlement.outcome,
                        date: settlement.date), error)
            }
        }
    }

    // MARK: What is no longer delivered

    /// Notifications have left the delivered ones by themselves, and their popups go.
    func retired(_ old: RetiredNotifications) {
        for key in old.unawaited { perform(state.popupGone(key)) }
        guard !old.keys.isEmpty else { return }
        for app in Set(old.keys.map(\.app)) { changed(.delivered, of: app) }
        somethingEnded(of: Set(old.keys.map(\.app)))
        perform([.closePopups(old.keys)])
    }

    /// Closes the popups of notifications that are no longer delivered.
    ///
    /// The presenter runs on this thread, so that no popup of a successor appears in between.
    func closePopups(of keys: [NotificationKey]) {
        for key in keys { _ = state.recent.remove(key) }
        let alone = state.withoutSuccessor(keys)
        if !alone.isEmpty { presenter.closePopups(of: alone) }
        store.popupsClosed(keys)
    }

    func reportSilence(about keys: [NotificationKey]) {
        for (app, keys) in Dictionary(grouping: keys, by: \.app) {
            let names = keys.map { $0.identifier.quotedForMessage() }.joined(separator: ", ")
            Log.engine.warning(
                """
                \(app) did not say within 3 s how to show \(names): in the list without a popup. Its \
                delegate has to call the completion handler of willPresent.
                """)
        }
    }

    // MARK: Posts without an answer at the end

    /// Writes down which posts the server has, and which server that is.
    func keepUnanswered(by server: String?) async {
        let rows = state.unanswered
        guard let server, !rows.isEmpty else { return }
        do {
            try await store.keepUnanswered(rows, by: server)
            Log.engine.notice(
                "the notification server has not answered \(rows.count) posts; it keeps them")
        } catch {
            Log.engine.error("\(rows.count) notifications may be shown again: \(error)")
        }
    }

    /// Decides about what an earlier run posted without an answer: the same server has it, and
    /// another is to show it.
    func settleUnanswered(by server: String?) {
        attemptHere("what was posted before") { engine in
            let now = engine.clock.now()
            let shown = try await engine.store.takeUnanswered(by: server)
            guard !shown.isEmpty else { return }
            let settlements = shown.map {
                Settlement(claimed: $0, outcome: .delivered(nil), date: now.wall)
            }
            engine.retired(try await engine.store.settle(settlements, now: now))
            engine.changed(by: settlements)
        }
    }
}
