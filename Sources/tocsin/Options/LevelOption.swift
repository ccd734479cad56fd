internal import ArgumentParser
internal import NotificationModel

/// An interruption level by its name.
enum LevelOption: String, ExpressibleByArgument, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical

    /// The model's level.
    var level: InterruptionLevel {
        switch self {
        case .passive: .passive
        case .active: .active
        case .timeSensitive: .timeSensitive
        case .critical: .critical
        }
    }
}
