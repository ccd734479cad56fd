public import Intents

/// A message with a formatted text, from which content may take its look.
open class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding {
    let intent: INSendMessageIntent
    let text: String

    /// Makes a context; the text's formatting is not shown on Linux.
    public init(sendMessageIntent: INSendMessageIntent, attributedContent: NSAttributedString) {
        intent = sendMessageIntent
        text = attributedContent.string
    }

    /// The class and the address.
    open override var description: String { describe([]) }
}

// The system's own providers, as on Apple's platforms.
extension INSendMessageIntent: UNNotificationContentProviding {}
extension INStartCallIntent: UNNotificationContentProviding {}
