import NotificationModel

/// What the engine's decisions ask its actor to do.
enum EngineEffect: Hashable, Sendable {
    /// Mark due rows as presenting, at most so many, passing over apps that have to wait.
    case claim(limit: Int, excluding: Set<ApplicationID>)
    /// Set both alarms.
    case arm(ClockAlarms)
    /// Hand these to the presenter, in order.
    case present([Presentation])
    /// Ask an app whether a notification may be shown.
    case ask(ServiceSession, PresentationToken, DeliveredNotification)
    /// Give a pushed notification to the app's service extension, in a session or as a program.
    case extend(ServiceSession?, ExtensionToken, NotificationRequest, ApplicationID)
    /// Tell a service extension that its time is over.
    case expireExtension(ServiceSession?, ExtensionToken)
    /// End a service extension's program.
    case endExtension(ExtensionToken)
    /// Store what a service extension made of a row, then report `revised`.
    case revise(ExtensionToken, ClaimedRequest)
    /// Store how an attempt ended, then report `settled`.
    case settle(token: UInt64, ClaimedRequest, Settlement.Outcome, date: Instant)
    /// Store what happened to a popup.
    case record(NotificationKey, PopupEvent)
    /// Hand a response to an app.
    case deliver(ServiceSession, NotificationResponse)
    /// Forget every popup: the server that showed them has gone.
    case forgetPopups
}
