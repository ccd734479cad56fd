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
    /// Runs the service extensions of apps that are not running; nil for none.
    public var extensions: (any ExtensionPrograms)?
    /// Makes images and plays sounds that the server cannot; nil for none.
    public var media: (any MediaPrograms)?
    /// The form of the images that the presenter takes.
    ///
    /// With `png`, every image is decoded and made small, because the portal refuses large files.
    public var imageForm = Image.Form.pixels
    /// The desktop's own settings; nil if they are unknown.
    public var preferences: (any DesktopPreferences)?
    /// Reads the desktop file of an app; nil if none is installed.
    public var desktopFile: @Sendable (ApplicationID) -> ApplicationIdentity? = { _ in nil }
    /// Reports whether the user's session is locked; nil if it never is.
    public var lock: (any LockSource)?
    /// Reports where the device is; nil if nothing can, so that no region is watched.
    public var location: (any LocationSource)?
    /// Starts apps that have quit; nil if the engine runs inside the app, which then runs already.
    public var launcher: (any ApplicationLauncher)?
    /// The user's languages, and the data directories that hold sounds.
    public var surroundings = ResourceSurroundings()
    /// The location of the store that an app made while it hosted its own engine.
    ///
    /// The engine takes this store over when the app connects. Nil to take nothing over.
    public var storeOfApp: (@Sendable (ApplicationID) -> StoreLayout)?
    /// Called when the store has failed for good; only a new engine may succeed.
    public var storeEnded: @Sendable (NotificationError) -> Void = { _ in }
    /// The address of the session bus of this engine, for a process that finds its store locked.
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
    /// The scheduling and delivery of requests.
    static let engine = Logger(label: "tocsin.engine")
}
