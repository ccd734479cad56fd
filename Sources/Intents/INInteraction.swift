/// Something that happened, which an app tells the system about; here nobody listens.
open class INInteraction: NSObject {
    /// The intent.
    open private(set) var intent: INIntent
    /// Which way it went.
    open var direction: INInteractionDirection = .unspecified
    /// When.
    open var dateInterval: DateInterval?
    /// The app's name for it.
    open var identifier = ""
    /// The app's name for the group it belongs to.
    open var groupIdentifier: String?

    /// Makes an interaction.
    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
    }

    /// Does nothing but call the handler: no Linux desktop learns from interactions.
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }

    /// Does nothing: no Linux desktop learns from interactions.
    open func donate() async throws {}
}

/// Which way an interaction went.
@nonexhaustive(warn)
public enum INInteractionDirection: Int, Sendable {
    /// It is not known.
    case unspecified = 0
    /// From this person.
    case outgoing = 1
    /// To this person.
    case incoming = 2
}

/// An app's response to an intent; apps on Linux make none.
open class INIntentResponse: NSObject {
    // Only the system makes one, and here there is nothing to make it of.
    private override init() {}
}
