internal import Glibc

/// A point on Earth.
package struct Place: Hashable, Sendable {
    /// The mean radius of the Earth in metres.
    ///
    /// Distances on this sphere differ from those on the WGS-84 ellipsoid by at most 0.56 %, for
    /// example by 1.1 m on 200 m.
    package static let earthRadius = 6_371_008.8

    /// Degrees north of the equator.
    package var latitude: Double
    /// Degrees east of Greenwich.
    package var longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The distance in metres along the great circle, by the haversine formula.
    ///
    /// The formula loses no precision at small distances. The longitudes enter only through a
    /// squared sine, so the antimeridian is no special case.
    package func distance(to other: Place) -> Double {
        let radians = Double.pi / 180
        let north = sin((other.latitude - latitude) * radians / 2)
        let east = sin((other.longitude - longitude) * radians / 2)
        let h =
            north * north
            + cos(latitude * radians) * cos(other.latitude * radians) * east * east
        // Rounding may lift the value of antipodes above 1.
        return 2 * Self.earthRadius * asin(min(1, h.squareRoot()))
    }
}

extension NotificationRegion {
    package var center: Place { Place(latitude: latitude, longitude: longitude) }
}
