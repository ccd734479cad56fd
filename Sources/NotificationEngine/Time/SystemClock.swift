internal import Foundation
internal import Glibc
internal import Logging
public import NotificationModel
public import Reactor

/// The system's clocks, with one timerfd for CLOCK_REALTIME and another for CLOCK_BOOTTIME.
///
/// The timer of CLOCK_REALTIME also reports when the wall clock is set. CLOCK_BOOTTIME also counts
/// while the machine is suspended (timerfd_create(2)). The process does not wake up before an alarm
/// is due.
///
/// The clock also watches `/etc`, which names the user's zone, and the folders of tzdata. Other
/// sources pass their clock events to `report`.
///
/// Unchecked: only the reactor's thread uses the timers and the listener; `Reactor` checks this in
/// `start`.
public final class SystemClock: EngineClock, @unchecked Sendable {
    private let reactor: Reactor
    private let bootID: String
    /// The zones whose rules this clock watches.
    public let zones: SystemZones
    private let zone: LocalTimeZone
    private var timers: (wall: ReactorTimer, boot: ReactorTimer)?
    private var zoneFiles: ZoneFileWatch?
    private var listener: (@Sendable (ClockEvent) -> Void)?

    /// Makes a clock whose alarms fire on this reactor.
    public convenience init(
        reactor: Reactor, environment: [String: String], zones: SystemZones
    ) {
        self.init(
            reactor: reactor, environment: environment, zones: zones,
            bootIDFile: "/proc/sys/kernel/random/boot_id")
    }

    package init(
        reactor: Reactor, environment: [String: String], zones: SystemZones, bootIDFile: String
    ) {
        self.reactor = reactor
        self.zones = zones
        zone = LocalTimeZone(environment: environment, zones: zones)
        bootID = Self.bootID(in: bootIDFile)
    }

    /// The id of this boot; if it cannot be read, an id that no other clock has.
    ///
    /// With one fixed id, a later boot would compare its own uptime with due times of this boot.
    /// With a new id, intervals of earlier processes follow the wall clock, as after a reboot.
    private static func bootID(in file: String) -> String {
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        let id = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return id.isEmpty ? "unknown " + UUID().uuidString : id
    }

    /// Both clocks and the zone, read now.
    public func now() -> ClockReading {
        let boot = timespec.now(on: CLOCK_BOOTTIME).microseconds
        // Use whole milliseconds: some microseconds pass between the two readings, and would change
        // the alarms at each reading.
        let suspended = max(boot - timespec.now(on: CLOCK_MONOTONIC).microseconds, 0) / 1_000
        return ClockReading(
            wall: Instant(microseconds: timespec.now(on: CLOCK_REALTIME).microseconds), boot: boot,
            bootID: bootID, timeZone: zone.identifier(at: boot), suspended: suspended * 1_000)
    }

    /// Starts to report; on the reactor's thread only.
    ///
    /// - Throws: `storeUnavailable` if the system gives no timer, because no alarm would fire.
    public func start(
        _ listener: @escaping @Sendable (ClockEvent) -> Void
    ) throws(NotificationError) {
        self.listener = listener
        zoneFiles = ZoneFileWatch(
            zone: zone, folders: zones.folders, reactor: reactor
        ) { [weak self] in self?.report($0) }
        do throws(ReactorError) {
            timers = (
                wall: try reactor.timer(.realtime) { event in
                    listener(event == .clockSet ? .wallClockSet : .alarm)
                },
                boot: try reactor.timer(.boottime) { _ in listener(.alarm) }
            )
        } catch {
            stop()
            throw NotificationError(.storeUnavailable, error.message)
        }
    }

    /// Takes a clock event from another source, on any thread.
    ///
    /// It ignores a zone event if the zone, and the rules in use, are the same as before.
    public func report(_ event: ClockEvent) {
        reactor.perform { [weak self] in
            guard let self, let listener else { return }
            var event = event
            if event == .timeZoneChanged,
                !zone.refresh(at: timespec.now(on: CLOCK_BOOTTIME).microseconds)
            {
                // If `/etc/localtime` is a copy of a zone's file, the zone may change while its
                // name stays.
                event = .zoneDataChanged
            }
            if event == .zoneDataChanged, !zones.refresh() { return }
            listener(event)
        }
    }

    /// Sets both alarms; on the reactor's thread only.
    public func arm(_ alarms: ClockAlarms) {
        timers?.wall.arm(atMicroseconds: alarms.wall?.microseconds)
        timers?.boot.arm(atMicroseconds: alarms.boot)
    }

    /// Ends the reports; on the reactor's thread only.
    public func stop() {
        listener = nil
        timers = nil
        zoneFiles = nil
    }
}
