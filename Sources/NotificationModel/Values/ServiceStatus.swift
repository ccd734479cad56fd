/// The state of the notification centre, for `tocsin doctor` and bug reports.
public struct ServiceStatus: Hashable, Sendable {
    /// The version of the service.
    public var version: String
    /// The host of the engine: `daemon` or `embedded`.
    public var hosting: String
    /// The path of the store.
    public var store: String
    /// The number of pending requests.
    public var pendingCount: Int
    /// The number of delivered notifications.
    public var deliveredCount: Int
    /// The number of responses that wait for their app.
    public var responseCount: Int
    /// When the next request fires; nil if no pending request has a date.
    public var nextFire: Instant?
    /// The notification server.
    public var presenter: PresenterStatus
    /// Whether the store refuses new requests because the disk is full.
    public var isStoreFull = false
    /// Whether the user's session is locked.
    public var lock = LockStatus()
    /// Whether the place of the device can be known.
    public var location = LocationStatus.unknown
    /// Whether apps get remote notifications.
    public var push = PushStatus()

    /// Makes a status.
    public init(
        version: String, hosting: String, store: String, pendingCount: Int, deliveredCount: Int,
        responseCount: Int, nextFire: Instant?, presenter: PresenterStatus
    ) {
        self.version = version
        self.hosting = hosting
        self.store = store
        self.pendingCount = pendingCount
        self.deliveredCount = deliveredCount
        self.responseCount = responseCount
        self.nextFire = nextFire
        self.presenter = presenter
    }
}

/// The current state of the notification server.
public struct PresenterStatus: Hashable, Sendable {
    /// Whether a server is on the bus.
    public var isAvailable: Bool
    /// The server's name, vendor and version, and the version of the specification that it follows.
    public var name, vendor, version, specification: String
    /// The capabilities that the server claims.
    public var capabilities: [String]
    /// Whether Do Not Disturb is on; nil if the server does not report it.
    public var isInhibited: Bool?
    /// Whether something on the desktop draws badges.
    public var showsBadges: Bool
    /// Whether the desktop's portal shows the popups.
    ///
    /// The portal reports no dismissals, and its popups have no timeout.
    public var isPortal = false

    /// Makes a status.
    public init(
        isAvailable: Bool, name: String = "", vendor: String = "", version: String = "",
        specification: String = "", capabilities: [String] = [], isInhibited: Bool? = nil,
        showsBadges: Bool = false
    ) {
        self.isAvailable = isAvailable
        self.name = name
        self.vendor = vendor
        self.version = version
        self.specification = specification
        self.capabilities = capabilities
        self.isInhibited = isInhibited
        self.showsBadges = showsBadges
    }
}

/// The version of this build: of the programs, the library and the Debian package.
public enum Version {
    /// The version that `--version` prints and the daemon's property `Version` reports.
    ///
    /// `dbus/install.mk` reads the next line.
    public static let current = "0.1.0"
}
