internal import NotificationModel
internal import Synchronization

/// Calls a center's delegate on the main actor, in the order of the events.
///
/// The compiler does not check whether a delegate is isolated to the main actor, so every call runs
/// on the main actor. The ledger makes sure that the delegate gets each response once.
@MainActor
struct DelegateCaller {
    private var ledger = ResponseLedger()
    /// The notification whose settings button was pressed before the app had set a delegate.
    private var deferredSettings: DeliveredNotification?

    nonisolated init() {}

    mutating func handle(_ event: DelegateEvent, for center: UNUserNotificationCenter) {
        // Read once: the reference is weak, and may become nil between two reads.
        let delegate = center.delegate
        switch event {
        case .service(.response(let response)):
            let effect = ledger.responseReceived(response, hasDelegate: delegate != nil)
            perform(effect, delegate, for: center)
        case .service(.willPresent(let token, let delivered)):
            askDelegate(delegate, about: delivered, token: token, for: center)
        case .service(.extend), .service(.extensionWillExpire), .service(.pushReceived),
            .service(.subscriptionChanged):
            // The center handles these events itself: they are not for its delegate.
            break
        case .service(.popupLeft):
            // Only a program that waits for one response needs this event, such as `tocsin`.
            break
        case .service(.openSettings(let delivered)):
            deferredSettings = delivered
            openSettings(by: delegate, for: center)
        case .delegateSet:
            guard delegate != nil else { return }
            for effect in ledger.delegateAppeared() { perform(effect, delegate, for: center) }
            openSettings(by: delegate, for: center)
        case .handled(let key):
            ledger.responseHandled(key)
        case .acknowledged(let key, let succeeded):
            ledger.responseAcknowledged(key, succeeded: succeeded)
        }
    }

    private mutating func openSettings(
        by delegate: (any UNUserNotificationCenterDelegate)?, for center: UNUserNotificationCenter
    ) {
        guard let delegate, let delivered = deferredSettings else { return }
        deferredSettings = nil
        delegate.userNotificationCenter(center, openSettingsFor: UNNotification(delivered))
    }

    private func perform(
        _ effect: ResponseLedger.Effect?, _ delegate: (any UNUserNotificationCenterDelegate)?,
        for center: UNUserNotificationCenter
    ) {
        switch effect {
        case .deliver(let response): deliver(response, to: delegate, for: center)
        case .acknowledge(let key): center.acknowledge(key)
        case nil: break
        }
    }

    // If the delegate implements neither form of the method, the default implementation calls the
    // completion handler at once. The response is lost, as on Apple's platforms.
    //
    // The completion handler itself starts the acknowledgement. So an app may call the handler,
    // await `flush()` and exit.
    private func deliver(
        _ response: NotificationResponse, to delegate: (any UNUserNotificationCenterDelegate)?,
        for center: UNUserNotificationCenter
    ) {
        let key = ResponseLedger.Key(response)
        let done = FirstAnswer { [weak center] in
            center?.send(.handled(key))
            center?.acknowledge(key)
        }
        let call = DelegateBridging.Call()
        DelegateBridging.$active.withValue([]) {
            DelegateBridging.$call.withValue(call) {
                delegate?.userNotificationCenter(
                    center, didReceive: UNNotificationResponse.made(of: response)
                ) {
                    done.fulfill(())
                }
            }
        }
        guard let delegate, !call.isAsynchronous else { return }
        limit(done, of: "\(type(of: delegate))", about: key, for: center)
    }

    // Some delegates never call the handler. Without a limit, such a delegate would get the
    // response again at every start, and `untilIdle()` would never return.
    private func limit(
        _ done: FirstAnswer<Void>, of delegate: String, about key: ResponseLedger.Key,
        for center: UNUserNotificationCenter
    ) {
        guard !done.isDone else { return }
        center.delays.schedule(.seconds(30)) {
            guard done.fulfill(()) else { return }
            UNUserNotificationCenter.logMessage(
                "The delegate \(delegate) has not called the completion handler of the response to "
                    + "\(key.identifier.quotedForMessage()) within 30 s after its "
                    + "method returned. The response now counts as handled. Call the handler "
                    + "as soon as the app has handled the response.")
        }
    }

    private func askDelegate(
        _ delegate: (any UNUserNotificationCenterDelegate)?,
        about delivered: DeliveredNotification, token: PresentationToken,
        for center: UNUserNotificationCenter
    ) {
        guard let delegate else {
            center.answer(token, with: PresentationOptions(center.undecided))
            center.updateAsking()
            return
        }
        let kind = ObjectIdentifier(type(of: delegate))
        let probe = DelegateBridging.Probe(of: ObjectIdentifier(delegate))
        let answer = FirstAnswer { [weak center] (options: PresentationOptions) in
            center?.answer(token, with: options)
            if probe.foundNothing { center?.neverAsk(kind) }
        }
        DelegateBridging.$active.withValue([]) {
            DelegateBridging.$probe.withValue(probe) {
                delegate.userNotificationCenter(center, willPresent: UNNotification(delivered)) {
                    answer.fulfill(PresentationOptions($0))
                }
            }
        }
    }
}

/// Passes on the first answer only: an app may call its completion handler twice.
final class FirstAnswer<Answer>: Sendable {
    private let isGiven = Atomic(false)
    private let pass: @Sendable (Answer) -> Void

    init(_ pass: @escaping @Sendable (Answer) -> Void) {
        self.pass = pass
    }

    var isDone: Bool { isGiven.load(ordering: .acquiring) }

    /// Passes the answer on; returns false if an answer was passed on before.
    @discardableResult
    func fulfill(_ answer: Answer) -> Bool {
        guard !isGiven.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        pass(answer)
        return true
    }
}

/// An event for the task that calls the delegate.
enum DelegateEvent: Sendable {
    case service(ServiceEvent)
    case delegateSet
    case handled(ResponseLedger.Key)
    case acknowledged(ResponseLedger.Key, succeeded: Bool)
}
