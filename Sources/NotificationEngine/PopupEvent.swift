import NotificationModel
internal import NotificationStore

/// What happened to a popup on the screen.
enum PopupEvent: Hashable, Sendable {
    /// A person answered.
    case response(NotificationResponse.Action, activationToken: String?)
    /// It left without an answer.
    case expired
}
