import NotificationModel
import WebPush
import WebPushSender

/// Prints the results of the messages, and determines the exit status of the program.
///
/// With `isJSON` it prints all results, otherwise only failures.
actor PushReport {
    // The exit statuses of the tool.
    static let (done, failure, gone, usage, data): (Int32, Int32, Int32, Int32, Int32) =
        (0, 1, 3, 64, 65)
    static let (unreachable, notAllowed): (Int32, Int32) = (75, 77)

    private let isJSON: Bool
    private var statuses: Set<Int32> = []

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// The status that all messages share; `failure` if the statuses differ.
    var status: Int32 {
        statuses.count == 1
            ? statuses.first ?? Self.done : statuses.isEmpty ? Self.done : Self.failure
    }

    func add(_ subscription: PushSubscription, _ outcome: PushOutcome) {
        let (status, name, text) = Self.describe(outcome)
        statuses.insert(status)
        if isJSON {
            print(
                RecordJSON.text(
                    .record([
                        RecordEntry("endpoint", .string(subscription.endpoint)),
                        RecordEntry("outcome", .string(name)),
                        RecordEntry("message", .string(text)),
                    ])))
        } else if status != Self.done {
            TocsinPush.print(error: "\(subscription.endpoint): \(text)")
        }
    }

    /// The exit status, the name in JSON, and the sentence of an outcome.
    private static func describe(_ outcome: PushOutcome) -> (Int32, String, String) {
        switch outcome {
        case .accepted: (done, "accepted", "The push service has the message.")
        case .gone: (gone, "gone", "The subscription has ended. Delete it.")
        case .tooLarge:
            (data, "tooLarge", "The push service takes only smaller messages. Shorten the payload.")
        case .refused(let status, let reason) where [401, 403].contains(status):
            (
                notAllowed, "refused",
                "The push service does not accept this server key (HTTP \(status): \(reason)). Use "
                    + "the key with which the app registered."
            )
        case .refused(let status, let reason):
            (
                failure, "refused",
                "The push service refused the message (HTTP \(status): \(reason)). Check the "
                    + "endpoint and the options; the same message is refused again."
            )
        case .postponed(let pause):
            (
                unreachable, "postponed",
                "The push service asks for a pause of \(pause.components.seconds) s. Send again "
                    + "after this pause."
            )
        case .failed(let reason):
            (
                unreachable, "failed",
                "The push service did not accept the message: \(reason). Send again later."
            )
        case .unusable(let reason): (data, "unusable", reason)
        }
    }
}
