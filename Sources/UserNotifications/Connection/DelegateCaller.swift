internal import NotificationModel
internal import Synchronization

/// Calls a center's delegate, always on the main actor, in the order of the events.
///
/// The main actor, because a delegate may be isolated to it without the compiler checking the call.
@MainActor
struct DelegateCaller {
    private var ledger = ResponseLedger()

    mutating func handle(_ event: DelegateEvent, for center: UNUserNotificationCenter) {
        // Once: it is weak, and may go between two looks at it.
        let delegate = center.delegate
        switch event {
        case .service(.response(let response)):
            let effect = ledger.received(response, hasDelegate: delegate != nil)
            perform(effect, delegate, for: center)
        case .service(.willPresent(let token, let delivered)):
            ask(delegate, about: delivered, token: token, for: center)
        case .service(.extend), .service(.extensionWillExpire):
            // Those do not wait for the main actor.
            break
        case .service(.left):
            // Only those hear of it that wait for one answer; an app learns from its list.
            break
        case .service(.openSettings(let delivered)):
            delegate?.userNotificationCenter(
                center, openSettingsFor: UNNotification(delivered))
        case .delegateSet:
            guard delegate != nil else { return }
            for effect in ledger.delegateAppeared() { perform(effect, delegate, for: center) }
        case .handled(let key):
            ledger.handled(key)
        case .acknowledged(let key, let succeeded):
            ledger.acknowledged(key, succeeded: succeeded)
        }
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

    // Without either form the response is lost, as on Apple's platforms: the default of the
    // completion form calls its handler at once. The acknowledgement starts within the handler, so
    // that an app may flush and exit right after it.
    private func deliver(
        _ response: NotificationResponse, to delegate: (any UNUserNotificationCenterDelegate)?,
        for center: UNUserNotificationCenter
    ) {
        let events = center.events
        let key = ResponseLedger.Key(response)
        let done = FirstAnswer { [weak center] in
            events.yield(.handled(key))
            center?.acknowledge(key)
        }
        DelegateBridging.$active.withValue([]) {
            delegate?.userNotificationCenter(
                center, didReceive: UNNotificationResponse.made(of: response)
            ) {
                done.give(())
            }
        }
    }

    private func ask(
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
                    answer.give(PresentationOptions($0))
                }
            }
        }
    }
}

/// Passes on the first answer only: an app may call its completion handler twice.
private final class FirstAnswer<Answer>: Sendable {
    private let isGiven = Atomic(false)
    private let pass: @Sendable (Answer) -> Void

    init(_ pass: @escaping @Sendable (Answer) -> Void) {
        self.pass = pass
    }

    func give(_ answer: Answer) {
        if !isGiven.exchange(true, ordering: .acquiringAndReleasing) { pass(answer) }
    }
}
