internal import NotificationModel

/// A place on Earth, in degrees of WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich.
    public var longitude: CLLocationDegrees

    /// Makes the place at 0, 0.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Makes a place.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// An invalid place.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Makes a place.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the latitude lies in -90...90 and the longitude in -180...180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}

extension CLLocationCoordinate2D {
    /// The distance along a great circle of a sphere as large as Earth, in metres.
    func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        Place(latitude: latitude, longitude: longitude)
            .distance(to: Place(latitude: other.latitude, longitude: other.longitude))
    }
}
