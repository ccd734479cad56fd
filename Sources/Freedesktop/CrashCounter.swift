internal import NotificationModel

/// Counts how often in a row a server died while it was to show a popup.
///
/// Nobody knows whether such a popup was shown, so it is posted again. But a popup that kills every
/// server must not do so for ever.
struct CrashCounter {
    /// The number of server deaths after which a popup is given up.
    private static let limit = 3

    private var counts: [NotificationKey: Int] = [:]

    /// The outcome of a popup whose server has just died.
    mutating func outcome(of key: NotificationKey) -> PresentationOutcome {
        let count = counts[key, default: 0] + 1
        guard count < Self.limit else {
            counts[key] = nil
            return .refused(
                "The notification server ended \(count) times while it was to show this.")
        }
        // Bounds the counts of popups that are never posted again.
        if counts.count >= Limits.crashes.most { counts = [:] }
        counts[key] = count
        return .interrupted
    }

    /// Resets the count of a popup that was shown, or that ended in another way.
    mutating func reset(_ key: NotificationKey) {
        if !counts.isEmpty { counts[key] = nil }
    }
}
