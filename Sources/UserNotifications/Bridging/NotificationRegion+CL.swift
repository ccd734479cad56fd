internal import CoreLocation
internal import NotificationModel

extension NotificationRegion {
    /// The region as the model keeps it.
    init(_ region: CLCircularRegion) {
        self.init(
            identifier: region.identifier, latitude: region.center.latitude,
            longitude: region.center.longitude, radius: region.radius,
            onEntry: region.notifyOnEntry, onExit: region.notifyOnExit)
    }

    /// The region as apps know it.
    var circle: CLCircularRegion {
        let circle = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            radius: radius, identifier: identifier)
        circle.notifyOnEntry = onEntry
        circle.notifyOnExit = onExit
        return circle
    }
}
