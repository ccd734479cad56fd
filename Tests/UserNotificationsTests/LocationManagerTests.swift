import CoreLocation
import Dispatch
import NotificationModel
import Reactor
import TestSupport
import Testing

/// The requests of a location manager, and the callbacks of its delegate.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct LocationManagerTests {
    private let services = ScriptedLocation()
    private let delegate = RecordingLocationDelegate()
    private nonisolated static let shop = NotificationRegion(
        identifier: "shop", latitude: 1, longitude: 2, radius: 150)

    private func manager() -> CLLocationManager {
        let manager = CLLocationManager(services: services)
        manager.delegate = delegate
        return manager
    }

    @Test(arguments: [
        (LocationReport.fix(LocationFix(latitude: 1, longitude: 2, accuracy: 0)), "places 1.0 2.0"),
        (.failed(.denied), "failed 1"), (.failed(.unknown), "failed 0"),
        (.monitoring(shop), "watching shop"),
        (.monitoringFailed(shop, .denied), "not watching shop 4"),
        (.monitoringFailed(shop, .unusable), "not watching shop 5"),
        (.crossed(shop, isInside: true), "entered shop"),
        (.crossed(shop, isInside: false), "left shop"),
        (.side(shop, isInside: true), "state 1 shop"),
        (.side(shop, isInside: false), "state 2 shop"),
        (.side(shop, isInside: nil), "state 0 shop"),
    ])
    func `a report reaches the delegate`(_ report: LocationReport, line: String) async throws {
        let manager = manager()
        services.send(report)
        #expect(try await delegate.lines.first(1) == [line])
        withExtendedLifetime(manager) {}
    }

    /// A report can reach the main queue while `init` still connects the manager.
    @Test func `a report reaches a manager that another thread is still making`() async {
        let report = LocationReport.fix(LocationFix(latitude: 1, longitude: 2, accuracy: 0))
        let latitude = await Task.detached {
            CLLocationManager(services: ScriptedLocation(early: report)).location?.coordinate
                .latitude
        }.value
        #expect(latitude == 1)
    }

    /// An app for older systems, too, has both forms; if both were called, it could start twice.
    @Test func `a changed permission is reported to the newer form of the delegate's method alone`()
        async throws
    {
        let manager = manager()
        services.send(.state(LocationState(permission: .always, isEnabled: true)))
        services.send(.failed(.unknown))
        #expect(try await delegate.lines.first(2) == ["changed", "failed 0"])
        #expect(manager.authorizationStatus == .authorizedAlways)
    }

    @Test func `a delegate without the newer form gets a changed permission by the older form`()
        async throws
    {
        let manager = CLLocationManager(services: services)
        let delegate = OlderLocationDelegate()
        manager.delegate = delegate
        services.send(.state(LocationState(permission: .always, isEnabled: true)))
        #expect(try await delegate.statuses.first(1) == [.authorizedAlways])
        withExtendedLifetime((manager, delegate)) {}
    }

    // Apps switch over the `any Error` that their delegate gets; such a switch must compile.
    @Test func `an app matches a location error by its code`() {
        func name(of error: any Error) -> String {
            switch error {
            case CLError.locationUnknown, CLError.network: "unknown"
            case CLError.denied: "denied"
            case CLError.headingFailure: "heading"
            case CLError.regionMonitoringDenied, CLError.regionMonitoringFailure: "region"
            case CLError.regionMonitoringSetupDelayed, CLError.regionMonitoringResponseDelayed:
                "delayed"
            default: "other"
            }
        }
        let errors = (0...7).compactMap(CLError.Code.init(rawValue:)).map { CLError($0) }
        #expect(
            errors.map { name(of: $0) } == [
                "unknown", "denied", "unknown", "heading", "region", "region", "delayed", "delayed",
            ])
        #expect(name(of: CancellationError()) == "other")
    }

    @Test func `a location manager keeps its activity type`() {
        let manager = manager()
        #expect(manager.activityType == .other)
        manager.activityType = .fitness
        #expect(manager.activityType.rawValue == 3)
    }

    @Test func `accuracy and distance filter reach the services, also while updates run`() {
        let manager = manager()
        manager.startUpdatingLocation()
        manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
        manager.distanceFilter = 99.5
        manager.desiredAccuracy = kCLLocationAccuracyKilometer
        manager.stopUpdatingLocation()
        manager.desiredAccuracy = kCLLocationAccuracyThreeKilometers
        manager.requestLocation()
        #expect(
            services.calls.all == [
                "state", "start 8 0", "start 6 0", "start 6 100", "start 5 100", "stop",
                "once 4 100",
            ])
    }

    /// Apps for the weather or the sunrise need no more than the city.
    @Test func `a manager with reduced accuracy asks for the precision of a city`() {
        let manager = manager()
        manager.desiredAccuracy = kCLLocationAccuracyReduced
        manager.showsBackgroundLocationIndicator = true
        manager.requestLocation()
        #expect(services.calls.all == ["state", "once 4 0"])
        #expect(manager.showsBackgroundLocationIndicator)
    }

    /// A new start would cancel a pending `requestLocation()` and repeat a failure.
    ///
    /// A delegate may set both values at each report.
    @Test func `an equivalent accuracy or distance filter does not start the updates again`() {
        let manager = manager()
        manager.startUpdatingLocation()
        manager.desiredAccuracy = kCLLocationAccuracyBest
        manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
        manager.distanceFilter = kCLDistanceFilterNone
        manager.distanceFilter = 0
        #expect(services.calls.all == ["state", "start 8 0"])
    }

    @Test func `a fix becomes a location with every value that GeoClue gives`() async throws {
        let manager = manager()
        var fix = LocationFix(latitude: 1, longitude: 2, accuracy: 30)
        (fix.altitude, fix.speed, fix.course) = (40, 5, 6)
        fix.date = Instant(seconds: 1_000)
        services.send(.fix(fix))
        try await delegate.lines.first(1)
        let location = try #require(manager.location)
        #expect(location.altitude == 40 && location.speed == 5 && location.course == 6)
        #expect(location.horizontalAccuracy == 30)
        #expect(location.timestamp == Date(timeIntervalSince1970: 1_000))
        #expect(location.distance(from: CLLocation(latitude: 1, longitude: 2)) == 0)
    }

    @Test func `region and permission requests reach the location services`() {
        let manager = manager()
        let circle = Self.shop.circle
        manager.requestAlwaysAuthorization()
        manager.startMonitoring(for: circle)
        #expect(manager.monitoredRegions == [circle])
        manager.requestState(for: circle)
        manager.stopMonitoring(for: circle)
        #expect(services.calls.all == ["state", "ask true", "watch shop", "side shop", "end shop"])
    }

    @Test func `a manager that is released ends its requests`() {
        var manager: CLLocationManager? = manager()
        manager?.startUpdatingLocation()
        manager = nil
        #expect(services.calls.all == ["state", "start 8 0", "gone"])
    }

    @Test func `without location services every request fails`() async throws {
        let manager = CLLocationManager(services: nil)
        manager.delegate = delegate
        #expect(manager.authorizationStatus == .denied)
        manager.requestLocation()
        manager.startMonitoring(for: Self.shop.circle)
        manager.requestState(for: Self.shop.circle)
        #expect(
            try await delegate.lines.first(3)
                == ["failed 1", "not watching shop 4", "state 0 shop"])
    }
}

/// Location services whose reports the test sends and whose calls it reads.
private final class ScriptedLocation: LocationServices {
    let calls = Recording<String>()
    private let listeners = Locked<[@Sendable (LocationReport) -> Void]>([])
    private let regions = Locked<[NotificationRegion]>([])
    private let known = Locked(LocationState(permission: .notDetermined, isEnabled: true))
    /// A report that the main queue delivers before `connect` returns.
    private let early: LocationReport?

    init(early: LocationReport? = nil) { self.early = early }

    func send(_ report: LocationReport) {
        if case .state(let state) = report { known.withLock { $0 = state } }
        listeners.withLock(\.first)?(report)
    }

    func connect(_ listener: @escaping @Sendable (LocationReport) -> Void) -> LocationClient {
        listeners.withLock { $0 = [listener] }
        if let early {
            listener(early)
            DispatchQueue.main.sync {}
        }
        return LocationClient(number: 1)
    }
    func disconnect(_ client: LocationClient) { calls.append("gone") }
    var state: LocationState { known.withLock(\.self) }
    func reportState(to client: LocationClient) { calls.append("state") }
    func requestPermission(always: Bool) { calls.append("ask \(always)") }
    func startUpdates(_ need: LocationNeed, of client: LocationClient) {
        calls.append("start \(need.precision.rawValue) \(need.distance)")
    }
    func stopUpdates(of client: LocationClient) { calls.append("stop") }
    func requestFix(_ need: LocationNeed, of client: LocationClient) {
        calls.append("once \(need.precision.rawValue) \(need.distance)")
    }
    func monitor(_ region: NotificationRegion) {
        regions.withLock { $0.append(region) }
        calls.append("watch \(region.identifier)")
    }
    func stopMonitoring(_ identifier: String) { calls.append("end \(identifier)") }
    var monitoredRegions: [NotificationRegion] { regions.withLock(\.self) }
    func requestSide(of region: NotificationRegion, for client: LocationClient) {
        calls.append("side \(region.identifier)")
    }
}

/// A delegate that records its callbacks.
private final class RecordingLocationDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    let lines = Recording<String>()

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        lines.append("changed")
    }
    func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {
        lines.append("changed to \(status.rawValue)")
    }
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        let places = locations.map { "\($0.coordinate.latitude) \($0.coordinate.longitude)" }
        lines.append("places \(places.joined(separator: ", "))")
    }
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        lines.append("failed \((error as NSError).code)")
    }
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        lines.append("watching \(region.identifier)")
    }
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        lines.append("entered \(region.identifier)")
    }
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        lines.append("left \(region.identifier)")
    }
    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        lines.append("state \(state.rawValue) \(region.identifier)")
    }
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        lines.append("not watching \(region?.identifier ?? "") \((error as NSError).code)")
    }
}

/// A delegate with only the older form of the method about the permission.
private final class OlderLocationDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    let statuses = Recording<CLAuthorizationStatus>()

    func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {
        statuses.append(status)
    }
}
