/// Receives the reports of a location manager; every method is optional.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Reports that the permission is known, or has changed.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// Reports the permission; the older form of ``locationManagerDidChangeAuthorization(_:)``.
    ///
    /// As on Apple's platforms, only a delegate without that method gets this call.
    func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// Reports new places, the newest last.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// Reports why there are no places.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Reports that the manager now watches a region.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
    /// Reports that the device entered a region.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
    /// Reports that the device left a region.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
    /// Reports whether the device is inside or outside a region.
    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
    /// Reports why the manager cannot watch a region.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error)
}

// Swift has optional requirements only with Objective-C. These defaults replace them.
extension CLLocationManagerDelegate {
    /// Calls ``locationManager(_:didChangeAuthorization:)``.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didFailWithError error: any Error
    ) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
    ) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didEnterRegion region: CLRegion
    ) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didExitRegion region: CLRegion
    ) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {}
}
