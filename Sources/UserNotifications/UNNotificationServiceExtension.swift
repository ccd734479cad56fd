/// Changes remote notifications before they are shown; subclass it.
///
/// Local requests never pass through it, as on Apple's platforms.
open class UNNotificationServiceExtension: NSObject {
    /// Makes an extension.
    public override init() {}

    /// The class and the address.
    open override var description: String { describe([]) }

    /// Gives the content to show; unless overridden, the original.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// Says that the time is nearly over; unless overridden, nothing happens.
    open func serviceExtensionTimeWillExpire() {}
}
