internal import Logging
import NotificationModel
internal import NotificationStore

// How attempts ended and what happened to popups, on its way to the store.
extension CenterEngine {
    /// Stores how an attempt ended, with what ended at the same time.
    func storeEnd(_ end: End) {
        if case .failed(_, let reason) = end.settlement.outcome {
            let name = end.settlement.claimed.request.identifier.quotedForMessage()
            Log.engine.warning("\(name) was not shown: \(reason)")
        }
        ends.append(end)
        storeEnds()
    }

    /// One change at a time: what ends while it is on its way to the disk goes into the next.
    func storeEnds() {
        guard !isStoringEnds else { return }
        isStoringEnds = true
        Task {
            while !ends.isEmpty {
                let batch = ends
                ends = []
                await storeEnds(batch)
            }
            isStoringEnds = false
        }
    }

    private func storeEnds(_ batch: [End]) async {
        var ends = batch
        if batch.contains(where: { $0.settlement.repeats }) {
            let settlements = await Self.scheduled(
                batch.map(\.settlement), by: state.schedule, now: clock.now())
            ends = zip(batch, settlements).map { End(token: $0.token, settlement: $1) }
        }
        do {
            let old = try await store.settle(ends.map(\.settlement))
            settled(ends.map(\.settlement))
            changed(by: ends.map(\.settlement))
            somethingEnded(of: Set(ends.map(\.settlement.claimed.app)))
            perform(state.settled(ends.map(\.token), now: clock.now()))
            for end in ends.map(\.settlement) where end.isUnanswerable {
                perform(state.popupGone(end.claimed.key))
            }
            retired(old)
        } catch {
            for end in batch {
                let settlement = end.settlement
                failed(
                    .settle(
                        token: end.token, settlement.claimed, settlement.outcome,
                        date: settlement.date), error)
            }
        }
    }

    /// One task at a time: tasks side by side could hand on answers in another order.
    func storeEvents() {
        guard !isStoringEvents else { return }
        isStoringEvents = true
        Task {
            while !popupEvents.isEmpty {
                let (key, event) = popupEvents.removeFirst()
                await storeEvent(event, of: key)
            }
            isStoringEvents = false
            reportRest()
        }
    }

    private func storeEvent(_ event: PopupEvent, of key: NotificationKey) async {
        do {
            defer { somethingEnded(of: [key.app]) }
            try await apply(event, to: key)
        } catch {
            return failed(.record(key, event), error)
        }
        perform(state.recorded(key))
    }

    private func apply(_ event: PopupEvent, to key: NotificationKey) async throws {
        guard case .response(let action, let token) = event else { return try await left(key) }
        if case .custom(let identifier) = action,
            let notification = try await store.notification(key),
            let button = state.action(identifier, of: notification)
        {
            if try await snooze(key, pressing: button) { return }
            if try await askForText(button, of: notification, activationToken: token) { return }
        }
        try await store(action, to: key, token)
    }

    // MARK: What is no longer delivered

    /// Notifications have left the delivered ones by themselves, and their popups go.
    func retired(_ old: RetiredNotifications) {
        guard !old.keys.isEmpty else { return }
        for app in Set(old.keys.map(\.app)) { changed(.delivered, of: app) }
        for key in old.unawaited { perform(state.popupGone(key)) }
        somethingEnded(of: Set(old.keys.map(\.app)))
        perform([.closePopups(old.keys)])
    }

    /// Closes the popups of notifications that are no longer delivered.
    ///
    /// The presenter runs on this thread, so that no popup of a successor appears in between.
    func closePopups(of keys: [NotificationKey]) async {
        let alone = state.withoutSuccessor(keys)
        if !alone.isEmpty { await presenter.closePopups(of: alone) }
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
            let ends = await Self.scheduled(settlements, by: engine.state.schedule, now: now)
            engine.retired(try await engine.store.settle(ends))
            engine.changed(by: ends)
        }
    }

    /// Off the actor: calendar arithmetic may take milliseconds, and popups must not wait for it.
    @concurrent
    private nonisolated static func scheduled(
        _ settlements: [Settlement], by schedule: FireSchedule, now: ClockReading
    ) async -> [Settlement] {
        settlements.map { settlement in
            var settlement = settlement
            if settlement.repeats {
                settlement.next = schedule.next(of: settlement.claimed, now: now)
            }
            return settlement
        }
    }
}
