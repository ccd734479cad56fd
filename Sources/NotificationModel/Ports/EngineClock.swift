/// Time as the engine sees it: the system's clocks, or a clock that a test turns.
public protocol EngineClock: Sendable {
    /// Both clocks and the zone, read now.
    func now() -> ClockReading

    /// Starts to report; events come on the engine's executor, in order.
    ///
    /// Throws where the system has no timer to give: nothing would fire.
    func start(
        _ listener: @escaping @Sendable (ClockEvent) -> Void
    ) throws(NotificationError)

    /// Sets both alarms: an instant in the past rings at once, nil never.
    func arm(_ alarms: ClockAlarms)

    /// Ends the reports, and gives back what the clock holds of the system.
    func stop()
}

extension EngineClock {
    /// Does nothing: a clock of a test holds nothing.
    public func stop() {}
}

/// Both clocks at one moment.
public struct ClockReading: Hashable, Sendable {
    /// CLOCK_REALTIME.
    public var wall: Instant
    /// Microseconds of CLOCK_BOOTTIME, which goes on while the machine is suspended.
    public var boot: Int64
    /// Which boot that is, from `/proc/sys/kernel/random/boot_id`.
    public var bootID: String
    /// The IANA name of the user's zone.
    public var timeZone: String

    /// Makes a reading.
    public init(wall: Instant, boot: Int64, bootID: String, timeZone: String) {
        self.wall = wall
        self.boot = boot
        self.bootID = bootID
        self.timeZone = timeZone
    }

    /// The reading of both clocks so many microseconds later, held at the ends of their ranges.
    package func adding(microseconds delta: Int64) -> ClockReading {
        var later = self
        later.wall = wall.adding(microseconds: delta)
        later.boot = boot.saturatingAdd(delta)
        return later
    }
}

/// When each clock should ring.
public struct ClockAlarms: Hashable, Sendable {
    /// On CLOCK_REALTIME.
    public var wall: Instant?
    /// On CLOCK_BOOTTIME, in microseconds.
    public var boot: Int64?

    /// Makes alarms.
    public init(wall: Instant? = nil, boot: Int64? = nil) {
        self.wall = wall
        self.boot = boot
    }
}

/// An event that a clock reports.
public enum ClockEvent: Hashable, Sendable {
    /// An alarm rang.
    case alarm
    /// The wall clock was set.
    case wallClockSet
    /// The user's zone changed.
    case timeZoneChanged
    /// The rules of zones changed: the system's tzdata is another.
    case zoneDataChanged
    /// The machine is awake again.
    case resumed
}
