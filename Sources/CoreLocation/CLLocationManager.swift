internal import Dispatch

/// Where apps ask for the place; here it says, as Apple's would, that it cannot tell.
///
/// It exists so that apps compile and take the branch they have for a device without location: the
/// permission is ``CLAuthorizationStatus/restricted``, no region can be watched, and every request
/// ends with the delegate method that reports the failure, on the main actor.
open class CLLocationManager: NSObject {
    /// Whom the manager tells; it hears of the permission as soon as it is set.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet { reportAuthorization() }
    }
    /// How precise places should be; kept for the app.
    open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
    /// How far the device must move to be reported; kept for the app.
    open var distanceFilter: CLLocationDistance = -1
    /// Whether places come while the app is in the background; kept for the app.
    open var allowsBackgroundLocationUpdates = false
    /// Whether updates may pause; kept for the app.
    open var pausesLocationUpdatesAutomatically = true

    /// Makes a manager.
    public override init() {}

    /// Whether the app may know the place: `.restricted`, because nobody can allow it.
    open var authorizationStatus: CLAuthorizationStatus { .restricted }
    /// How precisely.
    open var accuracyAuthorization: CLAccuracyAuthorization { .reducedAccuracy }
    /// The last place, nil for none.
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
    /// A `UNLocationNotificationTrigger` does not need this call: its request is stored by the
    /// notification centre.
    open func startMonitoring(for region: CLRegion) {
        tell {
            $1.locationManager(
                $0, monitoringDidFailFor: region, withError: CLError(.regionMonitoringFailure))
        }
    }

    /// Does nothing.
    open func stopMonitoring(for region: CLRegion) {}

    /// Tells the delegate that the device's place is not known.
    open func requestState(for region: CLRegion) {
        tell { $1.locationManager($0, didDetermineState: .unknown, for: region) }
    }

    private func reportAuthorization() {
        tell {
            $1.locationManagerDidChangeAuthorization($0)
            $1.locationManager($0, didChangeAuthorization: $0.authorizationStatus)
        }
    }

    private func reportFailure() {
        tell { $1.locationManager($0, didFailWithError: CLError(.denied)) }
    }

    // The delegate is looked up when its turn comes: it may have gone.
    private func tell(
        _ message:
            @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void
    ) {
        // Neither is Sendable; both are used on the main queue only.
        nonisolated(unsafe) let manager = self
        DispatchQueue.main.async {
            if let delegate = manager.delegate { message(manager, delegate) }
        }
    }
}
