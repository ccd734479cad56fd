internal import NotificationModel

/// Counts for each popup how often in a row the server ended before it answered the post.
///
/// It is unknown whether the server showed the popup, so the popup is posted again. After `limit`
/// such ends the popup is refused, because the popup itself may crash the server.
struct CrashCounter {
    private static let limit = 3

    private var counts: [NotificationKey: Int] = [:]

    mutating func outcome(of key: NotificationKey) -> PresentationOutcome {
        let count = counts[key, default: 0] + 1
        guard count < Self.limit else {
            counts[key] = nil
            return .refused(
                "The notification server ended \(count) times before it confirmed this "
                    + "notification.")
        }
        // Limit the size of `counts`, because some popups are never posted again.
        if counts.count >= Limits.crashes.most { counts = [:] }
        counts[key] = count
        return .interrupted
    }

    mutating func reset(_ key: NotificationKey) {
        if !counts.isEmpty { counts[key] = nil }
    }
}
