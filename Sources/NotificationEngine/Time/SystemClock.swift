internal import Foundation
internal import Glibc
internal import Logging
public import NotificationModel
public import Reactor

/// The system's clocks: one timerfd each for CLOCK_REALTIME and CLOCK_BOOTTIME, both absolute.
///
/// The first also tells when the wall clock is set; the second goes on during suspend. Nothing
/// wakes up while nothing is due (timerfd_create(2)). The files that name the person's zone and those
/// of zones are watched; whoever else hears of a change tells it by `report`.
///
/// Unchecked: the timers and the listener are made and used on the reactor's thread only, which they
/// check.
public final class SystemClock: EngineClock, @unchecked Sendable {
    private let reactor: Reactor
    private let bootID: String
    /// The zones whose rules it watches.
    public let zones: SystemZones
    private let zone: LocalTimeZone
    private var timers: (wall: ReactorTimer, boot: ReactorTimer)?
    private var zoneFiles: ZoneFileWatch?
    private var listener: (@Sendable (ClockEvent) -> Void)?

    /// Makes a clock whose alarms ring on this reactor.
    public init(reactor: Reactor, environment: [String: String], zones: SystemZones) {
        self.reactor = reactor
        self.zones = zones
        zone = LocalTimeZone(environment: environment, zones: zones)
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        bootID = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
    }

    /// Both clocks and the zone, read now.
    public func now() -> ClockReading {
        let boot = timespec.now(on: CLOCK_BOOTTIME).microseconds
        return ClockReading(
            wall: Instant(microseconds: timespec.now(on: CLOCK_REALTIME).microseconds), boot: boot,
            bootID: bootID, timeZone: zone.identifier(at: boot))
    }

    /// Starts to report; on the reactor's thread only.
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

    /// Takes what another source tells of the clocks, from any thread.
    ///
    /// A zone that did not change is not reported again.
    public func report(_ event: ClockEvent) {
        reactor.perform { [weak self] in
            guard let self, let listener else { return }
            switch event {
            case .timeZoneChanged:
                guard zone.refresh(at: timespec.now(on: CLOCK_BOOTTIME).microseconds) else {
                    return
                }
            case .zoneDataChanged:
                guard zones.refresh() else { return }
            case .alarm, .wallClockSet, .resumed: break
            }
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
