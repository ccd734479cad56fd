import CoreLocation

extension CLRegion {
    /// A circle for tests.
    static var home: CLCircularRegion {
        let center = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405)
        let region = CLCircularRegion(center: center, radius: 100, identifier: "home")
        region.notifyOnExit = false
        return region
    }
}
