internal import DesktopBus
internal import DesktopIntegration
internal import Logging
internal import NotificationEngine
public import NotificationModel
internal import Reactor

extension ServiceHost {
    /// Makes the location services of this app; nil if the system has no thread left.
    ///
    /// The services have their own thread and system bus connection, because only an app with a
    /// location manager needs them.
    ///
    /// GeoClue and its agents find an app by its desktop file. An app without a desktop file asks
    /// GeoClue in the name of the notification centre, which has asked the user.
    public nonisolated func makeLocationServices(
        _ permissions: LocationPermissions
    ) -> (any LocationServices)? {
        let reactor: Reactor
        do throws(ReactorError) {
            reactor = try Reactor(name: "tocsin-location")
        } catch {
            Log.host.error("the app gets no location: \(error.message)")
            return nil
        }
        let application = application
        let asking = application.hasDesktopEntry ? application.id : .tocsin
        let environment = environment
        let system = SystemBus(environment: environment, reactor: reactor)
        var timing = GeoClue.Timing()
        timing.betweenFixes = 0
        let source = GeoClue(desktopID: asking.rawValue, reactor: reactor, timing: timing) {
            await system.opened()
        }
        return AppLocation(
            app: application.id, source: source, permissions: permissions,
            clock: SystemClock(
                reactor: reactor, environment: environment,
                zones: SystemZones(environment: environment)),
            reactor: reactor)
    }
}
