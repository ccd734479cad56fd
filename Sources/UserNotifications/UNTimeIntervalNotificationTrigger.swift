/// Fires after a number of seconds, in which the machine may have been suspended.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The seconds from scheduling to firing.
    open var timeInterval: TimeInterval { storedInterval }

    private let storedInterval: TimeInterval

    /// Makes a trigger: the interval is above 0, and at least 60 if it repeats.
    ///
    /// Where Apple raises an exception for another interval, `add` fails with an error that says so.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        storedInterval = timeInterval
        super.init(repeats: repeats)
    }

    /// Now plus the interval, at each call, as on Apple's platforms.
    open func nextTriggerDate() -> Date? { nextDate(after: Date()) }

    /// Whether the object is a trigger with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNTimeIntervalNotificationTrigger else { return false }
        return super.isEqual(object) && other.timeInterval == timeInterval
    }

    /// A hash of the values that equal triggers share.
    open override var hash: Int { super.hash ^ timeInterval.hashValue }

    /// The class, the address and the values.
    open override var description: String {
        describe([("repeats", repeats), ("timeInterval", String(format: "%f", timeInterval))])
    }

    /// Reads a trigger from an archive.
    public required init?(coder: NSCoder) {
        guard let interval = coder.number("timeInterval") else { return nil }
        storedInterval = interval.doubleValue
        super.init(coder: coder)
    }

    /// Writes the trigger into an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(NSNumber(value: timeInterval), forKey: "timeInterval")
    }
}
