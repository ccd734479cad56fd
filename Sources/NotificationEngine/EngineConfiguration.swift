internal import Logging
public import NotificationModel
public import NotificationStore

/// The surroundings of an engine: its store, its programs and its desktop.
public struct EngineConfiguration: Sendable {
    /// The location of the store.
    public var layout: StoreLayout
    /// The host of the engine: `daemon` or `embedded`.
    public var hosting: String
    /// The zones in which dates are computed.
    public var zones: SystemZones
    /// The version that `status` reports.
    public var version: String
    /// Runs service extensions as separate programs; nil if the engine starts no such program.
    public var extensions: (any ExtensionPrograms)?
    /// The programs that make images and play sounds if the server cannot; nil if none exist.
    public var media: (any MediaPrograms)?
    /// The form of the images that the presenter takes.
    ///
    /// With `png`, every image is decoded and made small, because the portal refuses large files.
    public var imageForm = Image.Form.pixels
    /// The desktop's own settings; nil if they are unknown.
    public var preferences: (any DesktopPreferences)?
    /// Reads the desktop file of an app; the result is nil if the app has no desktop file.
    public var desktopFile: @Sendable (ApplicationID) -> ApplicationIdentity? = { _ in nil }
    /// Reports whether the user's session is locked; if nil, the session counts as unlocked.
    public var lock: (any LockSource)?
    /// Reports where the device is; if nil, no request that waits for a region fires.
    public var location: (any LocationSource)?
    /// Receives the remote notifications of registered apps; nil if the engine runs inside its app.
    public var pushes: (any PushTransport)?
    /// Starts apps that have quit; nil if the engine runs inside its app.
    public var launcher: (any ApplicationLauncher)?
    /// The user's languages, and the data directories that hold sounds.
    public var surroundings = ResourceSurroundings()
    /// Returns the location of the store that an app made while it hosted its own engine.
    ///
    /// When the app connects, the engine takes this store over. If the closure is nil, the engine
    /// takes over no store.
    public var storeOfApp: (@Sendable (ApplicationID) -> StoreLayout)?
    /// Called when the store has failed for good; only a new engine can then succeed.
    public var storeEnded: @Sendable (NotificationError) -> Void = { _ in }
    /// The address of this engine's session bus, for another process that finds the store locked.
    public var bus = ""
    /// The quotas of the store and of each app.
    package var limits = StoreLimits()
    /// Reports each step of the work to a test.
    package var step: @Sendable (EngineStep) -> Void = { _ in }
    /// Called with the outcomes of deliveries, after they are stored.
    package var settled: @Sendable ([Settlement]) -> Void = { _ in }
    /// Whether changes have to survive a power cut; a test needs no such guarantee.
    package var isDurable = true

    /// Makes a configuration.
    public init(layout: StoreLayout, hosting: String, version: String, zones: SystemZones) {
        self.layout = layout
        self.hosting = hosting
        self.version = version
        self.zones = zones
    }
}

/// The engine's loggers; the program that hosts the engine decides where they write.
enum Log {
    static let engine = Logger(label: "tocsin.engine")
}
