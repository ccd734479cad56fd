internal import CCoreLocation
internal import Dispatch
package import NotificationModel
internal import Reactor

/// Reports to an app where the device is, and when the device enters and leaves regions.
///
/// The places come from GeoClue on the system bus. The app gets places only if both the user and
/// GeoClue's agent, which is part of the desktop, allow the location. The notification centre asks
/// the user once, and shows the app's `NSLocationWhenInUseUsageDescription`. `tocsin settings`
/// shows and changes the user's answer.
///
/// Every method of the delegate is called on the main queue. An app gets places and crossings only
/// while it runs. To notify after the app has quit, use a `UNLocationNotificationTrigger`.
///
/// An app in a sandbox gets no places: use the portal `org.freedesktop.portal.Location` there.
///
/// See Apple's
/// [CLLocationManager](https://developer.apple.com/documentation/corelocation/cllocationmanager).
open class CLLocationManager: NSObject {
    /// Receives the manager's reports; the first is the permission, as soon as it is known.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet { if let connected { connected.services.reportState(to: connected.client) } }
    }
    /// The wanted precision of places, in metres; it determines the sources that GeoClue uses.
    ///
    /// GeoClue may report only
    /// - the city, if the precision is 3 km or more,
    /// - the neighbourhood, if it is 1 km or more,
    /// - the street, if it is 100 m or more.
    ///
    /// For less than 100 m, GeoClue also starts a satellite receiver.
    open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest {
        didSet { changeUpdates() }
    }
    /// The distance, in metres, after which a new place is reported.
    ///
    /// With `kCLDistanceFilterNone`, every place is reported.
    open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone {
        didSet { changeUpdates() }
    }
    /// Whether the app gets places in the background; stored without effect.
    ///
    /// On Linux an app always gets places while it runs.
    open var allowsBackgroundLocationUpdates = false
    /// Whether the system shows that the app gets places in the background; stored without effect.
    ///
    /// On Linux the desktop decides whether it shows that a program uses the location.
    open var showsBackgroundLocationIndicator = false
    /// Whether updates may pause; stored without effect.
    open var pausesLocationUpdatesAutomatically = true
    /// The user's movement; stored without effect.
    open var activityType = CLActivityType.other
    /// The last place that this manager reported; nil before the first report.
    open private(set) var location: CLLocation?

    /// The precision and distance of the running updates; nil if no updates run.
    private var updates: LocationNeed?
    private var connected: Connected?

    private struct Connected {
        let services: any LocationServices
        let client: LocationClient

        init?(_ services: (any LocationServices)?, of manager: CLLocationManager) {
            guard let services else { return nil }
            self.services = services
            let owner = WeakOwner(manager)
            client = services.connect { report in
                DispatchQueue.main.async { owner.manager?.deliver(report) }
            }
        }
    }

    /// Makes a manager.
    public override init() {
        super.init()
        connected = Connected(LocationProvider.services, of: self)
    }

    /// Makes a manager; without services, it reports no places.
    package init(services: (any LocationServices)?) {
        super.init()
        connected = Connected(services, of: self)
    }

    deinit {
        if let connected { connected.services.disconnect(connected.client) }
    }

    // MARK: Permission

    /// Whether the app may know the place.
    ///
    /// The first read waits at most one second for the notification centre and GeoClue. If an
    /// answer is missing, the status is `.notDetermined`. The status is `.denied` if the user or
    /// GeoClue's agent refuses, if the location is off, or if there is no GeoClue.
    open var authorizationStatus: CLAuthorizationStatus {
        CLAuthorizationStatus(connected?.services.state)
    }

    /// How precisely the app may know the place; always `.fullAccuracy`.
    ///
    /// GeoClue's agent may lower the precision, but GeoClue does not report that. See
    /// `horizontalAccuracy`.
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }

    /// Whether the app may know the place.
    @available(*, deprecated, message: "Use the property authorizationStatus.")
    open class func authorizationStatus() -> CLAuthorizationStatus {
        CLAuthorizationStatus(LocationProvider.services?.state)
    }

    /// Whether GeoClue is on the system bus, and the location is on.
    ///
    /// The first call waits at most one second for the notification centre and GeoClue. If an
    /// answer is missing, the result is true.
    open class func locationServicesEnabled() -> Bool {
        LocationProvider.services?.state.isEnabled ?? false
    }

    /// Asks the user whether the app may know the place, if the user has not decided yet.
    ///
    /// The notification centre asks in a popup, as it asks about notifications. If the user does
    /// not answer within a minute, the permission stays `.notDetermined`, and the next call asks
    /// again. If the permission changes, the delegate gets the new permission.
    open func requestWhenInUseAuthorization() {
        connected?.services.requestPermission(always: false)
    }

    /// Asks the user whether the app may know the place, if the user has not decided yet.
    ///
    /// On Linux `authorizedAlways` allows the same as `authorizedWhenInUse`. If the user has
    /// granted `authorizedWhenInUse`, the app gets `authorizedAlways` without a question.
    open func requestAlwaysAuthorization() {
        connected?.services.requestPermission(always: true)
    }

    // MARK: Places

    /// Reports places until ``stopUpdatingLocation()``.
    ///
    /// If the authorization status is `.denied`, the delegate gets `CLError.denied`. Before the
    /// user has decided, the delegate gets nothing. If GeoClue has no agent yet, the delegate gets
    /// `CLError.locationUnknown` once, and places as soon as an agent runs.
    ///
    /// The call cancels a pending ``requestLocation()``. As on Apple's platforms, a second call
    /// does not report the last place again.
    open func startUpdatingLocation() {
        guard let connected else { return reportFailure() }
        let need = need
        updates = need
        connected.services.startUpdates(need, of: connected.client)
    }

    // If the need is unchanged, does not start again: the services would treat the start as a call
    // by the app, and would cancel a pending `requestLocation()`.
    private func changeUpdates() {
        if let updates, updates != need { startUpdatingLocation() }
    }

    /// Ends the reports of places, and cancels a pending ``requestLocation()``.
    open func stopUpdatingLocation() {
        updates = nil
        if let connected { connected.services.stopUpdates(of: connected.client) }
    }

    /// Reports one place, or an error if no place is known within 30 seconds.
    ///
    /// The 30 seconds begin when the user has allowed the location. If the user denies the location
    /// or leaves the question unanswered, the error comes without this wait.
    ///
    /// On Linux the delegate gets GeoClue's first place, which may be coarser than
    /// ``desiredAccuracy``. GeoClue reports a better place only after half a minute. Check
    /// `horizontalAccuracy`, and use ``startUpdatingLocation()`` if you need a better place.
    open func requestLocation() {
        guard let connected else { return reportFailure() }
        connected.services.requestFix(need, of: connected.client)
    }

    private var need: LocationNeed {
        let filter = distanceFilter.isNaN ? 0 : max(0, min(distanceFilter, 1e7))
        return LocationNeed(
            precision: .init(desiredAccuracy), distance: UInt32(filter.rounded(.up)))
    }

    // MARK: Regions

    /// The regions that the managers of this app watch together.
    open var monitoredRegions: Set<CLRegion> {
        Set(connected?.services.monitoredRegions.map(\.circle) ?? [])
    }

    /// The largest radius of a region; there is no limit.
    open var maximumRegionMonitoringDistance: CLLocationDistance { CLLocationDistanceMax }

    /// Whether regions of this kind can be watched: only circles, and only if the location is on.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        regionClass is CLCircularRegion.Type && locationServicesEnabled()
    }

    /// Watches a region while the app runs; replaces a watched region with the same identifier.
    ///
    /// A crossing is reported after the device has been beyond the boundary for 20 seconds. If the
    /// device is in the region already, an entry is reported only after the device has left the
    /// region and returned. ``requestState(for:)`` reports where the device is now. All managers of
    /// the app report the crossing.
    ///
    /// On Linux the watch ends when the app quits, and a crossing does not start the app. A
    /// `UNLocationNotificationTrigger` does not need this call, and fires even after the app has
    /// quit.
    open func startMonitoring(for region: CLRegion) {
        guard let circle = region as? CLCircularRegion, let connected else {
            let error = CLError(
                connected == nil ? .regionMonitoringDenied : .regionMonitoringFailure)
            return notifyDelegate {
                $1.locationManager($0, monitoringDidFailFor: region, withError: error)
            }
        }
        connected.services.monitor(NotificationRegion(circle))
    }

    /// Ends the watch for the region with this identifier.
    open func stopMonitoring(for region: CLRegion) {
        connected?.services.stopMonitoring(region.identifier)
    }

    /// Reports once whether the device is inside a region.
    ///
    /// If this is not known within 30 seconds, the report is `.unknown`. The 30 seconds begin
    /// when the user has allowed the location. The report `.unknown` comes at once if the
    /// authorization status is `.denied`, or if 1,000 calls already wait for their reports.
    open func requestState(for region: CLRegion) {
        guard let circle = region as? CLCircularRegion, let connected else {
            return notifyDelegate {
                $1.locationManager($0, didDetermineState: .unknown, for: region)
            }
        }
        connected.services.requestSide(of: NotificationRegion(circle), for: connected.client)
    }

    // MARK: Reports

    fileprivate func deliver(_ report: LocationReport) {
        if case .fix(let fix) = report { location = CLLocation(fix) }
        guard let delegate else { return }
        switch report {
        case .state: delegate.locationManagerDidChangeAuthorization(self)
        case .fix:
            if let location { delegate.locationManager(self, didUpdateLocations: [location]) }
        case .failed(let failure):
            delegate.locationManager(self, didFailWithError: CLError(from: failure))
        case .monitoring(let region):
            delegate.locationManager(self, didStartMonitoringFor: region.circle)
        case .monitoringFailed(let region, let failure):
            delegate.locationManager(
                self, monitoringDidFailFor: region.circle,
                withError: CLError(
                    failure == .denied ? .regionMonitoringDenied : .regionMonitoringFailure))
        case .crossed(let region, isInside: true):
            delegate.locationManager(self, didEnterRegion: region.circle)
        case .crossed(let region, isInside: false):
            delegate.locationManager(self, didExitRegion: region.circle)
        case .side(let region, let isInside):
            delegate.locationManager(
                self, didDetermineState: CLRegionState(isInside: isInside), for: region.circle)
        }
    }

    private func reportFailure() {
        notifyDelegate { $1.locationManager($0, didFailWithError: CLError(.denied)) }
    }

    // Reads the delegate on the main queue: the delegate may be released before the block runs.
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

/// The services of this process.
package enum LocationProvider {
    private static let provided = Locked<(any LocationServices)?>(nil)

    /// The services that UserNotifications provides; nil in a program without UserNotifications.
    static let services: (any LocationServices)? = {
        tocsin_connect_location()
        return provided.withLock(\.self)
    }()

    /// Sets the services; UserNotifications calls this function when an app first needs them.
    package static func provide(_ services: (any LocationServices)?) {
        provided.withLock { $0 = services }
    }
}

/// A weak reference to a manager, for a closure that must not retain the manager.
private final class WeakOwner: @unchecked Sendable {
    // Unchecked Sendable: it never changes, and is read on the main queue.
    private(set) weak var manager: CLLocationManager?

    init(_ manager: CLLocationManager) { self.manager = manager }
}
