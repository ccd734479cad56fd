import NotificationModel
internal import NotificationStore

/// Decides whether a late request gets a popup, is only listed, or fails.
extension EngineState {
    /// Ends the delivery of a row that is too late for a popup, or whose rule has ended; nil if the
    /// row is to be shown.
    mutating func settleIfLate(
        _ token: UInt64, _ claimed: ClaimedRequest, now: ClockReading
    ) -> [EngineEffect]? {
        guard !schedule.isPastEnd(claimed, now: now) else {
            return settle(
                token,
                .failed(.late, "its rule had ended, because the clock was set forward"))
        }
        let request = claimed.request
        let lateness = outages.lateness(of: claimed.due)
        if let maximumLateness = request.maximumLateness,
            !schedule.isFresh(
                claimed, lateness: lateness, maximumLateness: maximumLateness, now: now)
        {
            return settle(token, .failed(.late, Self.reason(lateness: lateness, of: request)))
        }
        // A request without a text is never in the delivered list, so a summary cannot count it.
        guard request.content.hasText,
            !allowance.admits(claimed.app, lateness: lateness, boot: now.boot)
        else { return nil }
        queue.change(token) { $0.isJoiningSummary = true }
        let summary = DueTime(after: MissedSummary.delay, now)
        return badge(of: claimed, options: .all)
            + settle(token, .deliveredSilently(summary: summary))
    }

    /// Shows summaries without asking their app.
    ///
    /// A summary is postponed while another late notification of its app is about to join it.
    mutating func showSummaries(_ tokens: [UInt64]) -> [EngineEffect] {
        let growing = Set(deliveries.values.filter(\.isJoiningSummary).map(\.app))
        let waiting = tokens.filter { deliveries[$0].map { growing.contains($0.app) } ?? false }
        let ready = tokens.filter { !waiting.contains($0) }
        return waiting.flatMap { settle($0, .requeued) } + present(ready, options: .all)
    }

    /// Records the time and, if there is a server, that due requests can be shown now.
    mutating func noteClock(now: ClockReading) {
        latestWall = max(latestWall ?? now.wall, now.wall)
        guard isPresenterAvailable else { return }
        outages.recordPresence(at: now, head: head, isClaiming: isClaiming)
    }

    /// Notes that the wall clock was set, and returns the latest time that it showed before.
    mutating func wallWasSet(now: ClockReading) -> Instant? {
        defer { latestWall = now.wall }
        return latestWall
    }

    private static func reason(lateness: Int64, of request: NotificationRequest) -> String {
        let late = "it was \(lateness / 1_000_000) s late"
        guard let grace = request.grace else { return "\(late), and it skips missed dates" }
        let text = Int64(exactly: grace).map { "\($0)" } ?? "\(grace)"
        return "\(late), and its grace is \(text) s"
    }
}

/// Limits how many late notifications of an app get separate popups; pure.
///
/// The user must not find a flood of popups after an absence.
struct LateAllowance {
    /// The lateness above which a notification counts as late, in microseconds.
    static let threshold = DeliveredNotification.tolerance
    /// The maximum number of late notifications of an app that get a popup within the window.
    static let individually = 10
    /// The length of the window on the boot-time clock, in microseconds.
    static let window: Int64 = 600_000_000

    private var windows: [ApplicationID: (start: Int64, shown: Int)] = [:]

    /// Whether a notification of this lateness, in microseconds, gets a separate popup.
    ///
    /// A notification without a separate popup is in the delivered list, and the app's summary
    /// counts it.
    mutating func admits(_ app: ApplicationID, lateness: Int64, boot: Int64) -> Bool {
        guard lateness > Self.threshold else { return true }
        windows = windows.filter { boot - $0.value.start < Self.window }
        var window = windows[app] ?? (start: boot, shown: 0)
        guard window.shown < Self.individually else { return false }
        window.shown += 1
        windows[app] = window
        return true
    }
}
