internal import NotificationModel

/// What the task that calls the delegate hears of.
enum DelegateEvent: Sendable {
    /// The service says something.
    case service(ServiceEvent)
    /// A delegate was set.
    case delegateSet
    /// The delegate is done with a response.
    case handled(ResponseLedger.Key)
    /// The service was told that the app is done with a response.
    case acknowledged(ResponseLedger.Key, succeeded: Bool)
}
