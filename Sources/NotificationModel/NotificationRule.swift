/// A rule by which a notification fires again and again, as text.
///
/// What the text means is known to the schedule: `every weekday at 09:30`,
/// `calendar Mon *-*-* 09:00:00`, `cron 0 9 * * 1`.
public struct NotificationRule: Hashable, Sendable {
    /// The rule in its canonical form.
    public var text: String
    /// The IANA name of the zone; nil floats with the person's zone, unless the text names one.
    public var timeZone: String?
    /// The last instant at which it fires.
    public var until: Instant?
    /// How many times it fires from now on; nil for ever.
    public var count: Int?

    /// Makes a rule.
    public init(
        _ text: String, timeZone: String? = nil, until: Instant? = nil, count: Int? = nil
    ) {
        self.text = text
        self.timeZone = timeZone
        self.until = until
        self.count = count
    }
}
