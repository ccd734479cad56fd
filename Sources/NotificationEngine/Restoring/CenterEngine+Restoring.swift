internal import Logging
import NotificationModel
internal import NotificationStore

// What a server lost comes back on the next one.
extension CenterEngine {
    /// One step of noting and finding what is lost.
    enum RestoringStep {
        /// These popups have gone; nil for all.
        case lose([NotificationKey]?)
        case find(keepsList: Bool)
        /// Popups get their texts back.
        case findHidden
        /// These popups are posted again, so that their answers are heard.
        case findUnheard([NotificationKey], repliesAlone: Bool)
    }

    /// One after the other: what is lost has to be on disk before it is looked for.
    func restoring(_ step: RestoringStep) {
        restoringSteps.append(step)
        guard restoringSteps.count == 1 else { return }
        attemptHere("what the server lost") { engine in
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
            // Perhaps no other server ever comes, and one that keeps no list brings nothing back.
            for key in lost { perform(state.popupLost(key)) }
            retired(left)
        case .find(let keepsList):
            let lost = try await store.takeLost(keepsList: keepsList, now: clock.now())
            for app in Set(lost.removed.map(\.app)) { changed(.delivered, of: app) }
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
        attemptHere("what comes back") { engine in
            var notification: DeliveredNotification?
            defer {
                engine.perform(
                    engine.state.restorationRead(
                        notification, token: token, now: engine.clock.now()))
            }
            notification = try await engine.store.lost(restoration)
        }
    }

    func place(_ popup: PresentedPopup?, _ restoration: Restoration, token: UInt64) {
        attemptHere("the popup that came back") { engine in
            // Where it cannot be stored it stays lost; what it is answered is stored all the same.
            var placement = Placement.placed
            defer {
                engine.perform(
                    engine.state.restorationPlaced(
                        placement, token: token, now: engine.clock.now()))
            }
            placement = try await engine.store.place(popup, restoration)
        }
    }
}
