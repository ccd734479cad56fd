public import WebPush

/// A message for one or more subscriptions, with what the push service may know of it.
///
/// Source: RFC 8030, section 5.
public struct PushMessage: Hashable, Sendable {
    /// When the push service delivers the message to a device that saves power.
    public enum Urgency: String, CaseIterable, Sendable {
        /// On power and a network without a meter: advertisements.
        case veryLow = "very-low"
        /// On power or a network without a meter: topic updates.
        case low
        /// On either: messages of a chat.
        case normal
        /// At once, even on a low battery: calls, and alerts bound to a time.
        case high
    }

    /// The longest topic, in characters.
    public static let longestTopic = 32
    /// The default of `timeToLive`: four weeks, the longest that common push services keep a message.
    public static let fourWeeks = Duration.seconds(28 * 86_400)

    /// The bytes for the app, up to `MessageEncryption.largestPayload` bytes.
    public var payload: [UInt8]
    /// How long the push service keeps the message for a device that it cannot reach, in whole
    /// seconds.
    ///
    /// With zero, the message is delivered at once or never.
    public var timeToLive: Duration
    /// When a device that saves power gets the message.
    public var urgency: Urgency
    /// A name whose messages replace each other at the push service; nil for none.
    public var topic: String?

    /// Makes a message.
    public init(
        _ payload: [UInt8], timeToLive: Duration = fourWeeks, urgency: Urgency = .normal,
        topic: String? = nil
    ) {
        self.payload = payload
        self.timeToLive = timeToLive
        self.urgency = urgency
        self.topic = topic
    }

    /// Checks what a push service would refuse.
    ///
    /// - Throws: `payloadTooLarge` for too large a payload; `invalidHeader` for a negative lifetime,
    ///   or a topic that is empty, too long, or not in the base64url alphabet.
    public func check() throws(WebPushError) {
        guard payload.count <= MessageEncryption.largestPayload else {
            throw WebPushError(
                .payloadTooLarge,
                "The payload has \(payload.count) bytes, and one message takes "
                    + "\(MessageEncryption.largestPayload). Shorten it, or let the app fetch the rest."
            )
        }
        guard timeToLive >= .zero else {
            throw WebPushError(
                .invalidHeader, "The time to live is negative. Use 0 for at once or never.")
        }
        guard let topic else { return }
        guard (1...Self.longestTopic).contains(topic.utf8.count),
            topic.utf8.allSatisfy(Self.isInAlphabet)
        else {
            throw WebPushError(
                .invalidHeader,
                "The topic '\(topic)' is not 1 to \(Self.longestTopic) letters, digits, '-' or '_'."
            )
        }
    }

    private static func isInAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
