/// How much a notification may interrupt.
///
/// On Linux it becomes the urgency that the notification server sees.
@nonexhaustive(warn)
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Listed without a banner.
    case passive = 0
    /// Shown at once.
    case active = 1
    /// Shown at once, and may break through a quiet time.
    case timeSensitive = 2
    /// Shown always, and stays until dismissed.
    case critical = 3
}
