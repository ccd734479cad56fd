internal import Logging
import NotificationModel
internal import NotificationStore
internal import Reactor

/// One step to record or find lost popups; the popups that are found go to `lostFound`.
enum RestoringStep: Hashable, Sendable {
    /// Record that these popups are gone from their server; nil for all.
    case lose([NotificationKey]?)
    /// Find the lost popups to restore; a server without a notification list gets none.
    case find(isPersistent: Bool)
    /// Find the popups whose hidden texts can be shown now.
    case findHidden
    /// Find these popups to post them again, because their server reports no responses to them.
    ///
    /// With `onlyTypedReplies`, the server reports all responses except typed replies.
    case findUnheard([NotificationKey], onlyTypedReplies: Bool)
}

// Restores popups that a server lost: the next server shows them again.
extension CenterEngine {
    /// Queues a step.
    ///
    /// Only one step runs at a time: `.lose` must be on disk before a later step finds lost popups.
    func enqueueRestoring(_ step: RestoringStep) {
        // The waiting steps concern a server that is gone, so `.lose(nil)` replaces them.
        if step == .lose(nil) { restoringSteps.waiting = [] }
        restoringSteps.waiting.append(step)
        resumeRestoring()
    }

    /// Runs the waiting steps; a step that fails is retried before the steps behind it.
    func resumeRestoring() {
        guard restoringSteps.startDraining() else { return }
        inBackground("the record of lost popups") { engine in
            while let step = engine.restoringSteps.next() {
                do {
                    try await engine.perform(step)
                } catch {
                    engine.putBack(step)
                    guard !engine.state.isStopping else { throw error }
                    return engine.storeFailed(.resumeRestoring, error)
                }
            }
        }
    }

    /// Ends the loop, and puts a failed step in front of the waiting steps.
    ///
    /// If `.lose(nil)` waits, the failed step concerns a server that has left, and is dropped.
    private func putBack(_ step: RestoringStep) {
        var steps = SerialDrain<RestoringStep>()
        if !restoringSteps.waiting.contains(.lose(nil)) { steps.waiting.append(step) }
        steps.waiting += restoringSteps.waiting
        restoringSteps = steps
    }

    private func perform(_ step: RestoringStep) async throws {
        let found: [Restoration]
        switch step {
        case .lose(let keys):
            // If this step runs late, the next server may already show popups, which are not lost.
            let (lost, left) = try await store.losePopups(of: keys, except: server)
            // If the server keeps no list, its lost popups are not restored. Tell the waiting
            // sessions now that no response can follow.
            for key in lost { perform(state.popupLost(key)) }
            return notificationsRetired(left)
        case .find(let isPersistent):
            let lost = try await store.takeLost(isPersistent: isPersistent, now: clock.now())
            notificationsRetired(lost.retired)
            found = lost.restorations
        case .findHidden: found = try await store.hidden()
        case .findUnheard(let keys, let onlyTypedReplies):
            found = try await store.unheard(keys, onlyTypedReplies: onlyTypedReplies)
        }
        perform(state.lostFound(found, now: clock.now()))
    }

    func readLost(_ restoration: Restoration, token: UInt64) {
        inBackground("the read of a lost popup") { engine in
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
        inBackground("the record of a restored popup") { engine in
            // If the store fails, the row still counts as lost, but responses to the new popup are
            // stored.
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
