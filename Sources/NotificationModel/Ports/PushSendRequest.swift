/// A message that `tocsin push --to` passes to the program `tocsin-push` as arguments.
///
/// A separate program encrypts and sends, because cryptography and HTTP would make each start of
/// the tool slower.
public struct PushSendRequest: Hashable, Sendable {
    /// The file with the subscriptions, or the JSON of one subscription.
    public var subscriptions = ""
    /// The file with the payload; `-` for standard input.
    public var payload = ""
    /// How long the push service keeps the message, in seconds; nil for four weeks.
    public var timeToLive: Int64?
    /// The urgency as RFC 8030 names it; nil for `normal`.
    public var urgency: String?
    /// The topic of the message; nil for no topic.
    ///
    /// A later message with the same topic replaces this one at the push service.
    public var topic: String?
    /// The file with the server's private key; nil to send without a signature.
    public var key: String?
    /// How the push service reaches the sender: a `mailto:` or `https:` URL; nil without a key.
    ///
    /// The signature contains this URL.
    public var subject: String?
    /// Whether the result for each subscription is printed as JSON.
    public var isJSON = false

    /// Makes an empty request.
    public init() {}

    private static let texts: [(String, any WritableKeyPath<PushSendRequest, String?> & Sendable)] =
        [
            ("urgency", \.urgency), ("topic", \.topic), ("key", \.key), ("subject", \.subject),
        ]

    /// The arguments after the name of the program.
    public var arguments: [String] {
        var arguments = ["send", subscriptions, payload]
        if let timeToLive { arguments.append("ttl=\(timeToLive)") }
        for (name, path) in Self.texts {
            if let value = self[keyPath: path] { arguments.append("\(name)=\(value)") }
        }
        if isJSON { arguments.append("json") }
        return arguments
    }

    /// Reads the arguments after the name of the program; nil if they are of another form.
    public init?(arguments: [String]) {
        guard arguments.count >= 3, arguments[0] == "send" else { return nil }
        (subscriptions, payload) = (arguments[1], arguments[2])
        for argument in arguments.dropFirst(3) {
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1]) : nil
            switch (String(parts[0]), value) {
            case ("json", nil): isJSON = true
            case ("ttl", let value?):
                guard let seconds = Int64(value) else { return nil }
                timeToLive = seconds
            case (let name, let value?):
                guard let path = Self.texts.first(where: { $0.0 == name })?.1 else { return nil }
                self[keyPath: path] = value
            default: return nil
            }
        }
    }
}
