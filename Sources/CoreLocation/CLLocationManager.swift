internal import Dispatch

/// Apple's source of locations; on Linux it reports that it has none.
///
/// It exists so that apps compile and take their branch for a device without location. A
/// `UNLocationNotificationTrigger` works all the same: the notification centre needs no manager.
///
/// The permission is ``CLAuthorizationStatus/restricted``, and no region can be watched. A request
/// for places, or to watch a region, ends with the delegate method that reports the failure. A
/// request for permission, or for a region's state, is answered with restricted or unknown. All
/// reports come on the main actor.
open class CLLocationManager: NSObject {
    /// Receives the manager's reports; it gets the permission as soon as it is set here.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet { reportAuthorization() }
    }
    /// The wanted precision of places, in metres; stored without effect.
    open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
    /// The distance, in metres, after which a new place is reported; stored without effect.
    open var distanceFilter: CLLocationDistance = -1
    /// Whether places come while the app is in the background; stored without effect.
    open var allowsBackgroundLocationUpdates = false
    /// Whether updates may pause; stored without effect.
    open var pausesLocationUpdatesAutomatically = true

    /// Makes a manager.
    public override init() {}

    /// Whether the app may know the place: `.restricted`, because nobody can allow it.
    open var authorizationStatus: CLAuthorizationStatus { .restricted }
    /// How precisely the app may know the place.
    open var accuracyAuthorization: CLAccuracyAuthorization { .reducedAccuracy }
    /// The last place; nil, because there is none.
    open var location: CLLocation? { nil }
    /// The regions that are watched: none.
    open var monitoredRegions: Set<CLRegion> { [] }
    /// The largest radius that can be watched: -1, for none.
    open var maximumRegionMonitoringDistance: CLLocationDistance { -1 }

    /// Whether the app may know the place.
    @available(*, deprecated, message: "Use the property authorizationStatus.")
    open class func authorizationStatus() -> CLAuthorizationStatus { .restricted }

    /// Whether the device gives places to apps: it does not.
    open class func locationServicesEnabled() -> Bool { false }

    /// Whether regions of this kind can be watched: none can.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }

    /// Tells the delegate the permission, which cannot change.
    open func requestWhenInUseAuthorization() { reportAuthorization() }

    /// Tells the delegate the permission, which cannot change.
    open func requestAlwaysAuthorization() { reportAuthorization() }

    /// Tells the delegate that there are no places.
    open func startUpdatingLocation() { reportFailure() }

    /// Does nothing.
    open func stopUpdatingLocation() {}

    /// Tells the delegate that there are no places.
    open func requestLocation() { reportFailure() }

    /// Tells the delegate that the region is not watched.
    ///
    /// A `UNLocationNotificationTrigger` does not need this call: the notification centre watches
    /// its region itself.
    open func startMonitoring(for region: CLRegion) {
        notifyDelegate {
            $1.locationManager(
                $0, monitoringDidFailFor: region, withError: CLError(.regionMonitoringFailure))
        }
    }

    /// Does nothing.
    open func stopMonitoring(for region: CLRegion) {}

    /// Tells the delegate that the device's place is not known.
    open func requestState(for region: CLRegion) {
        notifyDelegate { $1.locationManager($0, didDetermineState: .unknown, for: region) }
    }

    private func reportAuthorization() {
        notifyDelegate {
            $1.locationManagerDidChangeAuthorization($0)
            $1.locationManager($0, didChangeAuthorization: $0.authorizationStatus)
        }
    }

    private func reportFailure() {
        notifyDelegate { $1.locationManager($0, didFailWithError: CLError(.denied)) }
    }

    // Looks the delegate up on the main queue, because it may have gone before the work runs.
    private func notifyDelegate(
        _ message:
            @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void
    ) {
        // Neither the manager nor the delegate is Sendable; the main queue alone uses them.
        nonisolated(unsafe) let manager = self
        DispatchQueue.main.async {
            if let delegate = manager.delegate { message(manager, delegate) }
        }
    }
}
