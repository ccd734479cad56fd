internal import DesktopBus
internal import Logging
package import NotificationModel

/// Reports clock events from the system bus.
///
/// logind signals the end of a sleep, and timedated signals a new time zone.
///
/// The clocks themselves detect these events, but later. Without a system bus this type does
/// nothing.
package actor SystemEvents {
    private let bus: SystemBus
    private let report: @Sendable (ClockEvent) -> Void
    private var subscriptions: [BusSubscription] = []

    /// Makes a listener; the reactor's thread calls `report`.
    package init(on bus: SystemBus, report: @escaping @Sendable (ClockEvent) -> Void) {
        self.bus = bus
        self.report = report
    }

    /// Subscribes to the signals; logs an error if that fails.
    package func start() async {
        guard let connection = await bus.opened() else { return }
        do throws(BusError) {
            let report = report
            let sleep = try await connection.subscribe(Self.sleepRule) { signal in
                if signal.arguments.first?.boolValue == false { report(.resumed) }
            }
            let zone = try await connection.subscribe(Self.zoneRule) { signal in
                if Self.isZoneChange(signal) { report(.timeZoneChanged) }
            }
            subscriptions = [sleep, zone]
        } catch {
            Log.daemon.info(
                "the system bus does not report sleep and time zones: \(error.message)")
        }
    }

    package func stop() {
        subscriptions = []
    }

    /// Source: org.freedesktop.login1(5), "Signals".
    private static let sleepRule = MatchRule(
        sender: "org.freedesktop.login1", path: "/org/freedesktop/login1",
        interface: "org.freedesktop.login1.Manager", member: "PrepareForSleep")

    /// Source: org.freedesktop.timedate1(5), "Properties".
    private static let zoneRule = MatchRule(
        sender: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1",
        interface: .properties, member: "PropertiesChanged",
        argument0: "org.freedesktop.timedate1")

    private static func isZoneChange(_ signal: BusSignal) -> Bool {
        guard signal.arguments.count >= 3 else { return false }
        return signal.arguments[1].vardictValue?["Timezone"] != nil
            || signal.arguments[2].stringsValue?.contains("Timezone") == true
    }
}
