/// A place at a time.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable, as on Apple's platforms: it never changes.
    /// The coordinate, in degrees.
    open private(set) var coordinate: CLLocationCoordinate2D
    /// How precise the coordinate is, in metres.
    open var horizontalAccuracy: CLLocationAccuracy { 0 }
    /// The time of the location.
    open private(set) var timestamp: Date

    /// Makes a place with the current time.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        timestamp = Date()
    }

    /// The distance along a great circle, in metres.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        coordinate.distance(to: location.coordinate)
    }

    /// The place itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A place can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a place from an archive.
    public required init?(coder: NSCoder) {
        coordinate = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"),
            longitude: coder.decodeDouble(forKey: "longitude"))
        timestamp = Date(timeIntervalSince1970: coder.decodeDouble(forKey: "timestamp"))
    }

    /// Writes the place into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: "latitude")
        coder.encode(coordinate.longitude, forKey: "longitude")
        coder.encode(timestamp.timeIntervalSince1970, forKey: "timestamp")
    }
}
