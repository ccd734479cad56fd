/// An app's registration for remote notifications.
///
/// The token identifies the app to the distributor and stays the same until the app unregisters. A
/// later registration has a new token and new keys.
public struct PushRegistration: Hashable, Sendable {
    /// The app.
    public var app: ApplicationID
    /// The app's name, which the distributor may show to the user.
    public var name = ""
    /// A random UUID, which names the app to the distributor.
    public var token: String
    /// The private key of P-256 with which messages are decrypted, 32 bytes.
    public var privateKey: [UInt8]
    /// The secret that the app's server and this computer share, 16 bytes.
    public var authenticationSecret: [UInt8]
    /// The public VAPID key (RFC 8292) of the app's server in Base64URL; nil for any server.
    public var serverKey: String?
    /// The bus name of the distributor that gave the endpoint.
    public var distributor: String?
    /// The URL to which the app's server posts its messages; nil while the distributor gives none.
    public var endpoint: String?

    /// Makes a registration that has no endpoint yet.
    public init(
        app: ApplicationID, token: String, privateKey: [UInt8], authenticationSecret: [UInt8]
    ) {
        self.app = app
        self.token = token
        self.privateKey = privateKey
        self.authenticationSecret = authenticationSecret
    }
}

/// The state of the push connector, for `tocsin doctor` and `tocsin settings`.
public struct PushStatus: Hashable, Sendable {
    /// Whether this notification centre can receive remote notifications; only the daemon can.
    public var isSupported = false
    /// The name of the distributor in use, without the prefix of its bus name; empty for none.
    public var distributor = ""
    /// The version of the UnifiedPush interface that this distributor offers; 0 if unknown.
    public var version = 0
    /// The name of the distributor that the user has chosen; empty for none.
    public var chosen = ""
    /// The names of the distributors that run or can be started, in alphabetical order.
    public var available: [String] = []
    /// The number of registered apps.
    public var appCount = 0
    /// The number of registered apps that have an endpoint.
    public var endpointCount = 0
    /// The number of messages since the start of the daemon that could not be decrypted or used.
    public var unreadableCount = 0
    /// The reason why registered apps get no messages; empty if none is known.
    public var problem = ""

    /// Makes the status of a host that receives no remote notifications.
    public init() {}
}
