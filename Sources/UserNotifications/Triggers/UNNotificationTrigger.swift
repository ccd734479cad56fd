public import CoreLocation
internal import NotificationModel

/// The condition that fires a notification; an app creates an instance of a subclass.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Whether the request stays pending after the trigger has fired.
    open var repeats: Bool { storedRepeats }

    private let storedRepeats: Bool

    init(repeats: Bool) {
        storedRepeats = repeats
    }

    /// Returns this trigger, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is a trigger with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationTrigger else { return false }
        return type(of: other) == type(of: self) && other.repeats == repeats
    }

    /// A hash of `repeats`.
    open override var hash: Int { repeats.hashValue }

    /// The class, the address and the values.
    open override var description: String { describe([("repeats", repeats)]) }

    /// A trigger can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a trigger from an archive.
    public required init?(coder: NSCoder) {
        storedRepeats = coder.decodeBool(forKey: "repeats")
    }

    /// Writes the trigger into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(repeats, forKey: "repeats")
    }
}

/// Fires after a number of seconds; time during which the machine is suspended counts, too.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The seconds from scheduling to firing.
    open var timeInterval: TimeInterval { storedInterval }

    private let storedInterval: TimeInterval

    /// Makes a trigger; the interval must be above 0, and at least 60 if the trigger repeats.
    ///
    /// On Apple's platforms any other interval raises an exception. Here `add` fails with an error
    /// that names the wrong interval.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        storedInterval = timeInterval
        super.init(repeats: repeats)
    }

    /// The time of this call plus the interval, as on Apple's platforms.
    open func nextTriggerDate() -> Date? { nextDate(after: Date()) }

    /// Whether the object is a trigger with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNTimeIntervalNotificationTrigger else { return false }
        return super.isEqual(object) && other.timeInterval == timeInterval
    }

    /// A hash of `repeats` and the interval.
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

/// Fires when the wall clock matches date components.
///
/// Components without a time zone follow the user's zone.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The components that have to match.
    ///
    /// The hour 9 alone matches 9:00:00: a nil component below the smallest set unit matches only
    /// its first value. Most other nil components match all values.
    open var dateComponents: DateComponents { storedComponents }

    private let storedComponents: DateComponents

    /// Makes a trigger.
    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        storedComponents = dateComponents
        super.init(repeats: repeats)
    }

    /// Makes a trigger; another spelling of ``init(dateMatching:repeats:)``.
    public convenience init(dateMatchingComponents dateComponents: DateComponents, repeats: Bool) {
        self.init(dateMatching: dateComponents, repeats: repeats)
    }

    /// The next matching date; nil if no date matches.
    ///
    /// - If the change to summer time skips the matching time, the date is the end of the gap.
    /// - If a month or year lacks the day, such as the 31st or 29 February, the date is the first
    ///   instant of the next month.
    /// - A day that exists in no year, such as 30 February, never matches.
    /// - The components' calendar decides how weeks are counted. If the components have no
    ///   calendar, the current calendar decides.
    open func nextTriggerDate() -> Date? { nextDate(after: Date()) }

    /// Whether the object is a trigger with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNCalendarNotificationTrigger else { return false }
        return super.isEqual(object) && other.dateComponents == dateComponents
    }

    /// A hash of `repeats` and the components.
    open override var hash: Int { super.hash ^ dateComponents.hashValue }

    /// The class, the address and the values.
    open override var description: String {
        describe([("dateComponents", dateComponents.described), ("repeats", repeats)])
    }

    /// Reads a trigger from an archive.
    public required init?(coder: NSCoder) {
        guard let components = coder.dateComponents("dateComponents") else { return nil }
        storedComponents = components
        super.init(coder: coder)
    }

    /// Writes the trigger into an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(dateComponents: dateComponents, forKey: "dateComponents")
    }
}

/// Fires when the device enters or leaves a region.
///
/// On Linux the notification centre watches the region through GeoClue, also after the app has
/// quit. The trigger fires when the device has crossed the circle and then stayed on the other side
/// for 20 seconds.
///
/// - The app needs the permission of `requestWhenInUseAuthorization`. If the user has not been
///   asked before, adding the request asks. Until the user grants the permission, the request
///   stays pending and does not fire.
/// - Without GeoClue the request is stored and listed, and the centre's log says what is missing.
/// - A sandboxed app cannot add such a request.
open class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The region: a copy of the region that the initialiser got.
    open var region: CLRegion { storedRegion }

    private let storedRegion: CLRegion

    /// Makes a trigger.
    public init(region: CLRegion, repeats: Bool) {
        storedRegion = region.copy() as? CLRegion ?? region
        super.init(repeats: repeats)
    }

    /// Makes a trigger; an old spelling of ``init(region:repeats:)``.
    @available(*, deprecated, renamed: "init(region:repeats:)")
    public convenience init(triggerWithRegion region: CLRegion, repeats: Bool) {
        self.init(region: region, repeats: repeats)
    }

    /// Whether the object is a trigger with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNLocationNotificationTrigger else { return false }
        return super.isEqual(object) && other.region == region
            && (other.region as? CLCircularRegion).map(NotificationRegion.init)
                == (region as? CLCircularRegion).map(NotificationRegion.init)
    }

    /// A hash of `repeats` and the region.
    open override var hash: Int { super.hash ^ region.hash }

    /// The class, the address and the values.
    open override var description: String { describe([("region", region), ("repeats", repeats)]) }

    /// Reads a trigger from an archive.
    public required init?(coder: NSCoder) {
        guard let region = coder.object(CLRegion.self, "region") else { return nil }
        storedRegion = region
        super.init(coder: coder)
    }

    /// Writes the trigger into an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(region, forKey: "region")
    }
}

/// The trigger of a remote notification; only the system makes one.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

/// The trigger of a request that another program made with a rule; Apple has no class for rules.
///
/// An app that lists the request sees only whether the request repeats. If the app adds the listed
/// request again, the request keeps its rule.
final class RuleNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    let rule: NotificationRule

    init(_ rule: NotificationRule) {
        self.rule = rule
        super.init(repeats: NotificationTrigger.rule(rule).repeats)
    }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? RuleNotificationTrigger)?.rule == rule
    }

    override var hash: Int { rule.hashValue }

    override var description: String { describe([("rule", rule.text), ("repeats", repeats)]) }

    required init?(coder: NSCoder) {
        guard let rule = coder.value(NotificationRule.record, "rule") else { return nil }
        self.rule = rule
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(rule, as: NotificationRule.record, forKey: "rule")
    }
}
