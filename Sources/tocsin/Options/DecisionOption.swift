internal import ArgumentParser
internal import NotificationModel

/// What is decided about an app.
enum DecisionOption: String, EnumerableFlag {
    case allow
    case deny
    case reset

    /// The model's decision.
    var decision: PermissionDecision {
        switch self {
        case .allow: .allow
        case .deny: .deny
        case .reset: .reset
        }
    }

    static func help(for value: DecisionOption) -> ArgumentHelp? {
        switch value {
        case .allow: "Allows the app to notify."
        case .deny: "Denies it; what is due is not shown."
        case .reset: "Forgets what was decided, '--previews', too; the app asks again."
        }
    }
}
