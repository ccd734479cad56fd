public import WebPush

/// A message for one or more subscriptions, and its options for the push service.
///
/// Source: RFC 8030, section 5.
public struct PushMessage: Hashable, Sendable {
    /// When the push service delivers the message to a device that saves power.
    public enum Urgency: String, CaseIterable, Sendable {
        /// Only with mains power and an unmetered network; for advertisements.
        case veryLow = "very-low"
        /// Only with mains power or an unmetered network; for topic updates.
        case low
        /// Also without mains power and on a metered network; for messages of a chat.
        case normal
        /// At once, even with a low battery; for calls and for time-critical alerts.
        case high
    }

    /// The longest topic, in characters.
    public static let longestTopic = 32
    /// The default of `timeToLive`; common push services keep no message longer than four weeks.
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
    /// The topic of the message; nil if the message has no topic.
    ///
    /// At the push service, a message replaces an undelivered message of the same topic.
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

    /// Checks the message for values that a push service would refuse.
    ///
    /// - Throws: `payloadTooLarge` for too large a payload; `invalidHeader` for a negative lifetime
    ///   or for a topic that is empty, too long, or not in the base64url alphabet.
    public func check() throws(WebPushError) {
        guard payload.count <= MessageEncryption.largestPayload else {
            throw WebPushError(
                .payloadTooLarge,
                "The payload has \(payload.count) bytes, and one message takes at most "
                    + "\(MessageEncryption.largestPayload). Shorten the payload, or let the app "
                    + "fetch the rest.")
        }
        guard timeToLive >= .zero else {
            throw WebPushError(
                .invalidHeader,
                "The time to live is negative. Use 0 to deliver the message at once or never.")
        }
        guard let topic else { return }
        guard (1...Self.longestTopic).contains(topic.utf8.count),
            topic.utf8.allSatisfy(Self.isInAlphabet)
        else {
            throw WebPushError(
                .invalidHeader,
                "A push service refuses the topic '\(topic)'. Use 1 to \(Self.longestTopic) "
                    + "letters, digits, '-' or '_'.")
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
