internal import Foundation
internal import Glibc
internal import Logging
public import NotificationModel
public import Reactor

/// The system's clocks: one timerfd each for CLOCK_REALTIME and CLOCK_BOOTTIME, both absolute.
///
/// The first also tells when the wall clock is set; the second goes on during suspend. Nothing
/// wakes up while nothing is due (timerfd_create(2)). The zone is watched where `/etc/localtime`
/// names it (inotify(7)).
///
/// Unchecked: the timers and the watch are made and used on the reactor's thread only, which they
/// check.
public final class SystemClock: EngineClock, @unchecked Sendable {
    private let reactor: Reactor
    private let bootID: String
    private let zone: LocalTimeZone
    private var timers: (wall: ReactorTimer, boot: ReactorTimer)?
    private var zoneWatch: DescriptorWatch?
    private let zoneChanges: Int32

    /// Makes a clock whose alarms ring on this reactor.
    public init(reactor: Reactor, environment: [String: String]) {
        self.reactor = reactor
        zone = LocalTimeZone(environment: environment)
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        bootID = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
        zoneChanges = zone.isFixed ? -1 : inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    }

    deinit {
        // In this order on the reactor's thread: poll must not meet a closed descriptor.
        zoneWatch = nil
        let descriptor = zoneChanges
        if descriptor >= 0 { reactor.perform { close(descriptor) } }
    }

    /// Both clocks and the zone, read now.
    public func now() -> ClockReading {
        let boot = Self.microseconds(CLOCK_BOOTTIME)
        return ClockReading(
            wall: Instant(microseconds: Self.microseconds(CLOCK_REALTIME)), boot: boot,
            bootID: bootID, timeZone: zone.identifier(at: boot))
    }

    /// Starts to report; on the reactor's thread only.
    public func start(_ listener: @escaping @Sendable (ClockEvent) -> Void) {
        watchZone(listener)
        do {
            timers = (
                wall: try reactor.timer(.realtime) { event in
                    listener(event == .clockSet ? .wallClockSet : .alarm)
                },
                boot: try reactor.timer(.boottime) { _ in listener(.alarm) }
            )
        } catch {
            Log.engine.critical("no timers, so nothing scheduled can fire: \(error)")
        }
    }

    /// The directory, because the link itself is exchanged; with no watch the zone is found changed
    /// at the next start.
    private func watchZone(_ listener: @escaping @Sendable (ClockEvent) -> Void) {
        let mask = UInt32(IN_MOVED_TO | IN_CREATE | IN_CLOSE_WRITE | IN_ONLYDIR)
        guard zoneChanges >= 0, inotify_add_watch(zoneChanges, "/etc", mask) >= 0 else { return }
        zoneWatch = reactor.watch(zoneChanges, for: .readable) { [weak self] _ in
            guard let self else { return }
            var buffer = [UInt8](repeating: 0, count: 1 << 12)
            while read(zoneChanges, &buffer, buffer.count) > 0 {}
            if zone.refresh(at: Self.microseconds(CLOCK_BOOTTIME)) { listener(.timeZoneChanged) }
        }
    }

    /// Sets both alarms; on the reactor's thread only.
    public func arm(_ alarms: ClockAlarms) {
        timers?.wall.arm(atMicroseconds: alarms.wall?.microseconds)
        timers?.boot.arm(atMicroseconds: alarms.boot)
    }

    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
