/// A place at a time, as a location manager reports it.
///
/// See Apple's [CLLocation](https://developer.apple.com/documentation/corelocation/cllocation).
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable, as on Apple's platforms: a location never changes.
    /// The coordinate, in degrees.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above mean sea level; valid if `verticalAccuracy` is positive.
    public let altitude: CLLocationDistance
    /// The radius within which the device probably is, in metres; negative if the coordinate is
    /// invalid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// How precise the altitude is, in metres; negative if the altitude is invalid.
    ///
    /// GeoClue does not state the accuracy of an altitude. For a known altitude, this is the
    /// horizontal accuracy.
    public let verticalAccuracy: CLLocationAccuracy
    /// The direction in which the device moves, in degrees from north; negative if unknown.
    public let course: CLLocationDirection
    /// Metres per second; negative if unknown.
    public let speed: CLLocationSpeed
    /// The time of the location.
    public let timestamp: Date

    /// Makes a place with the current time.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// Makes a place without a movement.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// Makes a place with a movement.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    /// The distance along a great circle, in metres.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        coordinate.distance(to: location.coordinate)
    }

    /// The coordinate, the accuracy, the movement and the time.
    open override var description: String {
        String(
            format: "<%+.8f,%+.8f> +/- %.2fm (speed %.2f mps / course %.2f) @ ",
            coordinate.latitude, coordinate.longitude, horizontalAccuracy, speed, course)
            + "\(timestamp)"
    }

    /// Returns this place, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A place can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a place from an archive.
    public required init?(coder: NSCoder) {
        coordinate = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"),
            longitude: coder.decodeDouble(forKey: "longitude"))
        altitude = coder.decodeDouble(forKey: "altitude")
        horizontalAccuracy = coder.decodeDouble(forKey: "horizontalAccuracy")
        verticalAccuracy = coder.decodeDouble(forKey: "verticalAccuracy")
        course = coder.decodeDouble(forKey: "course")
        speed = coder.decodeDouble(forKey: "speed")
        timestamp = Date(timeIntervalSince1970: coder.decodeDouble(forKey: "timestamp"))
    }

    /// Writes the place into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: "latitude")
        coder.encode(coordinate.longitude, forKey: "longitude")
        coder.encode(altitude, forKey: "altitude")
        coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
        coder.encode(verticalAccuracy, forKey: "verticalAccuracy")
        coder.encode(course, forKey: "course")
        coder.encode(speed, forKey: "speed")
        coder.encode(timestamp.timeIntervalSince1970, forKey: "timestamp")
    }
}
