internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// One call of `Notify` on its way.
struct PostFlight {
    var presentation: Presentation
    /// The server that was called.
    var owner: BusName
    /// The id it was to replace, 0 for none.
    var replaced: UInt32
    /// What the popup offers.
    var offer: SignalRouter.Offer
    /// When we stop to wait for the answer; nil once we have.
    var patience: Deadline?
    /// Whether its texts are hidden until the session is unlocked.
    var isHidden = false
    /// Whether the popup is to go as soon as its id is known.
    var isWithdrawn = false
    /// Whether it is not to be sent again.
    var isRecalled = false

    var key: NotificationKey { presentation.notification.key }
}
