internal import Logging
import NotificationModel
internal import NotificationStore

// Restores popups that a server lost: the next server shows them again.
extension CenterEngine {
    /// One step to record or find lost popups.
    enum RestoringStep {
        /// Record that these popups are gone; nil for all.
        case lose([NotificationKey]?)
        case find(isPersistent: Bool)
        /// Find the popups whose hidden texts can be shown now.
        case findHidden
        /// Find these popups and post them again, because their server would not report responses.
        case findUnheard([NotificationKey], repliesAlone: Bool)
    }

    /// Runs one step after the other: a loss must be on disk before the next step searches for it.
    func enqueueRestoring(_ step: RestoringStep) {
        restoringSteps.append(step)
        guard restoringSteps.count == 1 else { return }
        attemptHere("the record of lost popups") { engine in
            defer { engine.restoringSteps = [] }
            var done = 0
            while done < engine.restoringSteps.count {
                try await engine.perform(engine.restoringSteps[done])
                done += 1
            }
        }
    }

    private func perform(_ step: RestoringStep) async throws {
        switch step {
        case .lose(let keys):
            let (lost, left) = try await store.losePopups(of: keys)
            // Another server may never come, and nothing is restored on a server without a list.
            for key in lost { perform(state.popupLost(key)) }
            notificationsRetired(left)
        case .find(let isPersistent):
            let lost = try await store.takeLost(isPersistent: isPersistent, now: clock.now())
            for app in Set(lost.removed.map(\.app)) { listsChanged(.delivered, of: app) }
            for key in lost.gone { perform(state.popupGone(key)) }
            perform(
                state.lostFound(lost.restorations, removing: lost.removed, now: clock.now()))
        case .findHidden:
            let hidden = try await store.hidden()
            perform(state.lostFound(hidden, removing: [], now: clock.now()))
        case .findUnheard(let keys, let repliesAlone):
            let unheard = try await store.unheard(keys, repliesAlone: repliesAlone)
            perform(state.lostFound(unheard, removing: [], now: clock.now()))
        }
    }

    func readLost(_ restoration: Restoration, token: UInt64) {
        attemptHere("the read of a lost popup") { engine in
            var notification: DeliveredNotification?
            defer {
                engine.perform(
                    engine.state.restorationRead(
                        notification, token: token, now: engine.clock.now()))
            }
            notification = try await engine.store.lostNotification(restoration)
        }
    }

    func placePopup(_ popup: PresentedPopup?, _ restoration: Restoration, token: UInt64) {
        attemptHere("the record of a restored popup") { engine in
            // A popup that cannot be stored stays lost; responses to it are stored all the same.
            var placement = Placement.placed
            defer {
                engine.perform(
                    engine.state.restorationPlaced(
                        placement, token: token, now: engine.clock.now()))
            }
            placement = try await engine.store.placePopup(popup, restoration)
        }
    }
}
