/// How much a notification may interrupt; raw values are Apple's.
///
/// On Linux the level becomes the `urgency` hint: passive 0, active 1, time-sensitive 1,
/// critical 2.
public enum InterruptionLevel: UInt, Hashable, Sendable, CaseIterable {
    /// Listed without a banner.
    case passive = 0
    /// Shown at once.
    case active = 1
    /// Shown at once, and may break through a quiet time.
    case timeSensitive = 2
    /// Shown always, and stays until dismissed.
    case critical = 3
}
