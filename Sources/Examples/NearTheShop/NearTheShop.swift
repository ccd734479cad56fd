import CoreLocation
import UserNotifications

/// Reports where the device is, and notifies when the device comes near a shop or leaves it.
///
/// `NearTheShop once` reports one place and ends. `--at LATITUDE LONGITUDE` sets the shop's place.
@main
@MainActor
final class NearTheShop: NSObject, @preconcurrency CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let center = UNUserNotificationCenter.current()
    private let options: Options

    private init(_ options: Options) {
        self.options = options
        super.init()
    }

    static func main() {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            let usage = "usage: NearTheShop [once] [--at LATITUDE LONGITUDE]\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
        let app = NearTheShop(options)
        app.start()
        withExtendedLifetime(app) { RunLoop.main.run() }
    }

    private func start() {
        manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
        manager.delegate = self
        if manager.authorizationStatus == .notDetermined {
            manager.requestWhenInUseAuthorization()
        }
        guard !options.isShort else { return manager.requestLocation() }
        manager.startUpdatingLocation()
        manager.startMonitoring(for: shop)
        manager.requestState(for: shop)
    }

    private var shop: CLCircularRegion {
        CLCircularRegion(center: options.place, radius: 150, identifier: "shop")
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        report("permission \(manager.authorizationStatus.rawValue)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        guard let place = locations.last?.coordinate else { return }
        report("place \(place.latitude) \(place.longitude)")
        if options.isShort { exit(0) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        report("no place: \((error as? CLError)?.errorCode ?? -1)")
        if options.isShort { exit(1) }
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        report("watching \(region.identifier)")
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        report("not watching: \((error as? CLError)?.errorCode ?? -1)")
    }

    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        report("state \(state.rawValue)")
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        report("entered \(region.identifier)")
        notify("You are near the shop.")
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        report("left \(region.identifier)")
        notify("You have left the shop.")
    }

    private func notify(_ text: String) {
        let content = UNMutableNotificationContent()
        content.title = text
        center.add(UNNotificationRequest(identifier: "shop", content: content, trigger: nil))
    }

    /// Writes without a buffer, so that a reader of a pipe gets the line at once.
    private func report(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

private struct Options {
    var isShort = false
    var place = CLLocationCoordinate2D(latitude: 52.5, longitude: -13.25)

    init?(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "once": isShort = true
            case "--at":
                guard let latitude = rest.popFirst().flatMap(Double.init),
                    let longitude = rest.popFirst().flatMap(Double.init)
                else { return nil }
                place = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
            default: return nil
            }
        }
    }
}
