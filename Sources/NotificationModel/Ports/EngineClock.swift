/// Time as the engine sees it: the system's clocks, or a clock that a test sets.
public protocol EngineClock: Sendable {
    /// Both clocks and the time zone, read now.
    func now() -> ClockReading

    /// Starts to report events on the engine's executor, in order.
    ///
    /// - Throws: `storeUnavailable` if the system has no timer left; without a timer, no request
    ///   would fire.
    func start(
        _ listener: @escaping @Sendable (ClockEvent) -> Void
    ) throws(NotificationError)

    /// Sets both alarms: an instant in the past fires immediately, and nil never fires.
    func arm(_ alarms: ClockAlarms)

    /// Stops the reports, and releases the system resources of the clock.
    func stop()
}

extension EngineClock {
    /// Does nothing: a test's clock has no resources.
    public func stop() {}
}

/// Both clocks at one moment.
public struct ClockReading: Hashable, Sendable {
    /// CLOCK_REALTIME.
    public var wall: Instant
    /// Microseconds of CLOCK_BOOTTIME, which also counts while the machine is suspended.
    public var boot: Int64
    /// The id of the boot since which `boot` counts, from `/proc/sys/kernel/random/boot_id`.
    ///
    /// If that file cannot be read, each clock has an id of its own.
    public var bootID: String
    /// The IANA name of the user's time zone.
    public var timeZone: String
    /// The microseconds of `boot` during which the machine was suspended.
    public var suspended: Int64

    /// Microseconds of CLOCK_MONOTONIC, which stops while the machine is suspended.
    package var monotonic: Int64 { boot - suspended }

    /// Makes a reading.
    public init(
        wall: Instant, boot: Int64, bootID: String, timeZone: String, suspended: Int64 = 0
    ) {
        self.wall = wall
        self.boot = boot
        self.bootID = bootID
        self.timeZone = timeZone
        self.suspended = suspended
    }

    /// The reading of both clocks this many microseconds later, clamped to their ranges.
    package func adding(microseconds delta: Int64) -> ClockReading {
        var later = self
        later.wall = wall.adding(microseconds: delta)
        later.boot = boot.saturatingAdd(delta)
        return later
    }
}

/// The time at which each clock's alarm fires.
public struct ClockAlarms: Hashable, Sendable {
    /// The time on CLOCK_REALTIME.
    public var wall: Instant?
    /// The time on CLOCK_BOOTTIME, in microseconds.
    public var boot: Int64?

    /// Makes alarms.
    public init(wall: Instant? = nil, boot: Int64? = nil) {
        self.wall = wall
        self.boot = boot
    }
}

/// An event that a clock reports.
public enum ClockEvent: Hashable, Sendable {
    /// An alarm fired.
    case alarm
    /// The wall clock was set.
    case wallClockSet
    /// The user's time zone changed.
    case timeZoneChanged
    /// The rules of time zones changed, for example by an update of the system's tzdata.
    case zoneDataChanged
    /// The machine is awake again.
    case resumed
}
