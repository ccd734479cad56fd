/// Reports where the device is.
///
/// `DesktopIntegration` implements this protocol with the desktop's location service; tests use a
/// recording.
public protocol LocationSource: Sendable {
    /// Starts to listen; the listener gets the events in order.
    func follow(_ listener: @escaping @Sendable (LocationEvent) -> Void) async

    /// Sets how precisely the place is needed.
    ///
    /// Nil releases the location service, so that the service can turn its receivers off.
    func watch(_ need: LocationNeed?)

    /// Whether the place can be known.
    ///
    /// The call does not start the location service.
    func status() async -> LocationStatus
}

/// An event of a location source.
public enum LocationEvent: Hashable, Sendable {
    /// The device was at a place.
    case fix(LocationFix)
    /// The user turned the location off.
    ///
    /// Until the location is on again, nobody knows where the device is.
    case turnedOff
    /// The result of `status()` has changed.
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
    /// The radius in metres within which the device probably was; 0 if the radius is unknown.
    public var accuracy: Double
    /// When the device was there, by the wall clock; nil means now.
    public var date: Instant?
    /// Metres above mean sea level; nil if unknown.
    ///
    /// GeoClue reads the altitude from a receiver's NMEA sentence GGA, which gives the height above
    /// mean sea level.
    ///
    /// Source: GeoClue 2, `gclue_location_create_from_gga`.
    public var altitude: Double?
    /// Metres per second; nil if unknown.
    public var speed: Double?
    /// The direction of the device's movement in degrees clockwise from north; nil if unknown.
    public var course: Double?

    /// The assumed accuracy of a fix whose accuracy is 0, in metres.
    ///
    /// GeoClue reports 0 for satellite receivers.
    package static let unknownAccuracy = 25.0

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
    /// A precision; raw values are GeoClue's accuracy levels.
    public enum Precision: UInt32, Hashable, Sendable, Comparable {
        /// The city.
        case city = 4
        /// The neighbourhood.
        case neighborhood = 5
        /// The street; a satellite receiver stays off.
        case street = 6
        /// As precise as possible, with every source.
        case exact = 8

        /// Whether the first precision is lower than the second.
        public static func < (first: Precision, second: Precision) -> Bool {
            first.rawValue < second.rawValue
        }
    }

    /// How precise the place must be.
    public var precision: Precision
    /// The distance in metres after which the next fix is needed.
    public var distance: UInt32

    /// Makes a need.
    public init(precision: Precision, distance: UInt32) {
        self.precision = precision
        self.distance = distance
    }

    /// Makes the need for watching regions.
    ///
    /// If `isExact` is false, the precision is that of a street.
    public init(isExact: Bool, distance: UInt32) {
        self.init(precision: isExact ? .exact : .street, distance: distance)
    }

    /// Whether every source is needed, including a satellite receiver.
    public var isExact: Bool { precision == .exact }

    /// The need that satisfies both this need and `other`.
    package func joined(with other: LocationNeed?) -> LocationNeed {
        guard let other else { return self }
        return LocationNeed(
            precision: max(precision, other.precision), distance: min(distance, other.distance))
    }
}

/// Whether the place of the device can be known.
public enum LocationStatus: String, Hashable, Sendable {
    /// Nobody has asked the location service yet.
    case unknown
    /// The location service runs, or starts when it is needed.
    case available
    /// There is no location service.
    case missing
    /// The location service has no agent, the program of the login session that permits its use.
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
                "GeoClue waits for an agent that allows location in this session",
                "GNOME Shell has such an agent; on other desktops start geoclue-demo-agent."
            )
        case .denied:
            ("GeoClue refuses the location", "Allow org.tocsin.Tocsin in geoclue.conf.")
        case .off:
            ("the location is turned off", "Turn it on in the desktop's settings.")
        }
    }
}
