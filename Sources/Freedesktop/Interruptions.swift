internal import NotificationModel

/// How often in a row a server died while it was to show something.
///
/// Nobody knows whether that was shown: it may be tried again, but a popup that kills every server
/// must not do so for ever.
struct Interruptions {
    /// How often a server may die over one popup before that popup is given up.
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
        // A limit for those that never come again.
        if counts.count >= Limits.interruptions.most { counts = [:] }
        counts[key] = count
        return .interrupted
    }

    /// It was shown, or ended otherwise.
    mutating func forgive(_ key: NotificationKey) {
        if !counts.isEmpty { counts[key] = nil }
    }
}
