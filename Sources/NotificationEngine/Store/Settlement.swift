import NotificationModel

/// What becomes of a claimed row.
struct Settlement: Sendable {
    /// How the attempt ended.
    enum Outcome: Hashable, Sendable {
        /// It is delivered; the popup is nil where the server did not answer, or shows none.
        case delivered(PresentedPopup?)
        /// It is late, and delivered without a popup of its own; its app's summary, due then, counts
        /// it.
        case listed(summary: DueTime)
        /// The app did not want it shown.
        case suppressed
        /// It has no text and therefore no popup; the notification that it replaces leaves.
        case withoutPopup
        /// It was not shown and waits again.
        case returned
        /// It cannot be shown, for this reason, which is told in words as well.
        case failed(NotificationRecord.Reason, String)
    }

    var claimed: ClaimedRequest
    var outcome: Outcome
    var date: Instant
    /// When it fires again; nil for a request that fires once.
    var next: DueTime?

    /// Whether nobody can ever answer it: it has no popup and does not fire again.
    var isUnanswerable: Bool {
        (outcome == .suppressed || outcome == .withoutPopup) && next == nil
    }

    /// Whether it has to be told when it fires again.
    var repeats: Bool { outcome != .returned && claimed.request.trigger?.repeats == true }
}
