/// Reports where the device is.
///
/// The desktop's location service implements it; tests use a recording.
public protocol LocationSource: Sendable {
    /// Starts to listen; the listener gets the events in order.
    func follow(_ listener: @escaping @Sendable (LocationEvent) -> Void) async

    /// Sets how precisely the place is needed. Nil releases the service, so that it costs nothing.
    func watch(_ need: LocationNeed?)

    /// Whether the place can be known. The call does not start the service.
    func status() async -> LocationStatus
}

/// An event of a location source.
public enum LocationEvent: Hashable, Sendable {
    /// The device was at a place.
    case fix(LocationFix)
    /// The user turned the location off. While it is off, nobody knows where the device goes.
    case turnedOff
    /// Whether the place can be known has changed.
    case statusChanged(LocationStatus)
}

/// A place at which the device was.
///
/// The values come from a location service and are not checked.
public struct LocationFix: Hashable, Sendable {
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double
    /// The radius in metres within which the device probably was; 0 if it is unknown.
    public var accuracy: Double
    /// When the device was there, by the wall clock; nil means now.
    public var date: Instant?

    /// Makes a fix.
    public init(latitude: Double, longitude: Double, accuracy: Double, date: Instant? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.date = date
    }
}

/// How precisely the place of the device is needed.
public struct LocationNeed: Hashable, Sendable {
    /// Whether every source is needed, also a satellite receiver.
    ///
    /// Otherwise, the street is precise enough.
    public var isExact: Bool
    /// The distance in metres after which the next fix is needed.
    public var distance: UInt32

    /// Makes a need.
    public init(isExact: Bool, distance: UInt32) {
        self.isExact = isExact
        self.distance = distance
    }
}

/// Whether the place of the device can be known.
public enum LocationStatus: String, Hashable, Sendable {
    /// Nobody has asked.
    case unknown
    /// The location service runs, or starts when it is needed.
    case available
    /// There is no location service.
    case missing
    /// No program of the session lets the location service answer.
    case noAgent
    /// The location service refuses.
    case denied
    /// The user turned the location off.
    case off
}

extension LocationStatus {
    /// Why the location cannot be known, and what to do; nil if it can be known or nobody has
    /// asked.
    package var obstacle: (reason: String, remedy: String)? {
        switch self {
        case .unknown, .available: nil
        case .missing:
            (
                "there is no location service",
                "Install GeoClue; on Debian it is the package geoclue-2.0."
            )
        case .noAgent:
            (
                "GeoClue waits for an agent, which lets this session know its location",
                "GNOME Shell is one; elsewhere start geoclue-demo-agent."
            )
        case .denied:
            ("GeoClue refuses the location", "Allow org.tocsin.Tocsin in geoclue.conf.")
        case .off:
            ("the location is turned off", "Turn it on in the desktop's settings.")
        }
    }
}
