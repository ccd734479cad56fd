/// How an app that has quit is started for a response.
public enum LaunchMode: Int64, Hashable, Sendable, CaseIterable {
    /// The person wants to see the app.
    case foreground
    /// The app is to do something unseen: only one that can be started without a window.
    case background

    /// How this action starts an app, or nil where it starts none.
    ///
    /// `category` is the one that the notification names. A dismissal starts nothing. An action
    /// that the category does not have (any more) might be anything, so it brings no window up.
    public init?(_ action: NotificationResponse.Action, category: NotificationCategory?) {
        switch action {
        case .dismiss: return nil
        case .standard: self = .foreground
        case .custom(let identifier), .reply(let identifier, _):
            let known = category?.actions.first { $0.identifier == identifier }
            self = known?.options.contains(.foreground) == true ? .foreground : .background
        }
    }
}
