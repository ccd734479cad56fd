internal import Logging
public import NotificationModel
public import NotificationStore

/// What an engine needs to know of its surroundings.
public struct EngineConfiguration: Sendable {
    /// Where the store lies.
    public var layout: StoreLayout
    /// Where the engine runs: `daemon` or `embedded`.
    public var hosting: String
    /// The zones in which dates are computed.
    public var zones: SystemZones
    /// The version that `status` reports.
    public var version: String
    /// What runs service extensions of apps that are not running; nil for none.
    public var extensions: (any ExtensionPrograms)?
    /// What makes pictures and plays sounds that the server cannot; nil for none.
    public var media: (any MediaPrograms)?
    /// What the presenter takes in place of a picture's file.
    ///
    /// Where that is a file, too, each picture is decoded and made small: the portal refuses large
    /// ones.
    public var pictureForm = Picture.Form.pixels
    /// The desktop's own settings; nil where nothing of them is known.
    public var preferences: (any DesktopPreferences)?
    /// What the desktop file of an app says of it; nil where none is installed.
    public var desktopFile: @Sendable (ApplicationID) -> ApplicationIdentity? = { _ in nil }
    /// Whether the person's session is locked; nil where it never is.
    public var lock: (any LockSource)?
    /// What starts apps that have quit; nil where the engine belongs to an app, which then runs.
    public var launcher: (any ApplicationLauncher)?
    /// Where the person's languages and sounds are found.
    public var surroundings = ResourceSurroundings()
    /// Where an app's own store lies if it ever hosted its own engine: taken over when the app
    /// connects; nil where nothing is taken over.
    public var storeOfApp: (@Sendable (ApplicationID) -> StoreLayout)?
    /// Hears that nothing can be stored any more: only a new engine may be able to.
    public var storeEnded: @Sendable (NotificationError) -> Void = { _ in }
    /// The address of the session bus that the engine serves, for those who find its store locked.
    public var bus = ""
    /// How much one app may ask for.
    package var limits = StoreLimits()
    /// Tells a test how far the work has come.
    package var step: @Sendable (EngineStep) -> Void = { _ in }
    /// Hears how attempts ended, once that is stored.
    var settled: @Sendable ([Settlement]) -> Void = { _ in }
    /// Whether changes have to outlive a power cut; those of a test are thrown away.
    var isDurable = true

    /// Makes a configuration.
    public init(layout: StoreLayout, hosting: String, version: String, zones: SystemZones) {
        self.layout = layout
        self.hosting = hosting
        self.version = version
        self.zones = zones
    }
}

/// The engine's loggers; where they write is decided by the program that hosts the engine.
enum Log {
    /// The scheduling and delivery of requests.
    static let engine = Logger(label: "tocsin.engine")
}
