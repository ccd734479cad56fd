import Dispatch
import Intents
import UIKit

/// A program in Swift 5 mode, whose handlers change local variables outside of the main actor.
///
/// The compiler allows that only in handlers of methods that are older than Swift's concurrency. On
/// Apple's platforms these methods come from Objective-C and so are older.
@main
final class HandlerProbe {
    static func main() {
        // A probe that hangs must not hang the tests.
        alarm(120)
        let probe = HandlerProbe()
        probe.beginTask()
        probe.donate()
    }

    private func beginTask() {
        let application = UIApplication.shared
        var task = UIBackgroundTaskIdentifier.invalid
        task = application.beginBackgroundTask(withName: "Save") {
            application.endBackgroundTask(task)
            task = .invalid
        }
        print("has begun: \(task != .invalid)")
        var other = UIBackgroundTaskIdentifier.invalid
        other = application.beginBackgroundTask { other = .invalid }
        print("is another task: \(other != task)")
        application.endBackgroundTask(task)
        application.endBackgroundTask(other)
    }

    private func donate() {
        let intent = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hello",
            speakableGroupName: nil, conversationIdentifier: "ann", serviceName: nil, sender: nil,
            attachments: nil)
        var isDonated = false
        let hasEnded = DispatchSemaphore(value: 0)
        INInteraction(intent: intent, response: nil).donate { error in
            isDonated = error == nil
            hasEnded.signal()
        }
        hasEnded.wait()
        print("is donated: \(isDonated)")
    }
}
