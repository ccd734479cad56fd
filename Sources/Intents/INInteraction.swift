internal import Dispatch

/// A past event that an app donates to the system; no Linux desktop uses it.
open class INInteraction: NSObject {
    /// The intent.
    open private(set) var intent: INIntent
    /// The direction of the interaction.
    open var direction: INInteractionDirection = .unspecified
    /// The time span of the interaction.
    open var dateInterval: DateInterval?
    /// The app's name for the interaction.
    open var identifier = ""
    /// The app's name for the group of the interaction.
    open var groupIdentifier: String?

    /// Makes an interaction.
    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
    }

    /// Only calls the handler: no Linux desktop learns from interactions.
    ///
    /// The handler runs on another thread, as on Apple's platforms: the app may hold a lock that the
    /// handler takes.
    @preconcurrency
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        Self.finish(completion)
    }

    /// Does nothing and never throws: no Linux desktop learns from interactions.
    open func donate() async throws {}

    /// Only calls the handler, on another thread: no interaction was stored.
    @preconcurrency
    open class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        finish(completion)
    }

    /// Does nothing and never throws: no interaction was stored.
    open class func delete(with identifiers: [String]) async throws {}

    /// Only calls the handler, on another thread: no interaction was stored.
    @preconcurrency
    open class func delete(
        with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        finish(completion)
    }

    /// Does nothing and never throws: no interaction was stored.
    open class func delete(with groupIdentifier: String) async throws {}

    /// Only calls the handler, on another thread: no interaction was stored.
    @preconcurrency
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        finish(completion)
    }

    /// Does nothing and never throws: no interaction was stored.
    open class func deleteAll() async throws {}

    private static func finish(_ completion: (@Sendable ((any Error)?) -> Void)?) {
        guard let completion else { return }
        DispatchQueue.global().async { completion(nil) }
    }
}

/// The direction of an interaction.
@nonexhaustive(warn)
public enum INInteractionDirection: Int, Sendable {
    /// The direction is unknown.
    case unspecified = 0
    /// From the user.
    case outgoing = 1
    /// To the user.
    case incoming = 2
}

/// An app's response to an intent; on Linux no such object exists.
open class INIntentResponse: NSObject {
    // The initializer is private, because apps only pass nil for a parameter of this type.
    private override init() {}
}
