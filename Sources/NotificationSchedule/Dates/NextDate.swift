public import NotificationModel

/// Finds the next date that calendar components match.
///
/// A gap is the time that clocks skip when they are put forward. If the components match one time a
/// day, a date in a gap moves to the gap's end. If they match times in each hour, a time in a gap
/// gives no date. But if a gap removes a whole day that the components name, the gap's end is a
/// date.
///
/// If a month lacks the day, the start of the next month stands in for it. If a gap removes this
/// start, the gap's end is the date. If a weekday or a week is also set, a month that lacks the day
/// gives no date.
///
/// When clocks are put back, they show an hour twice. If the components match one time a day, only
/// the first pass of this hour gives a date. If the components match times in each hour, both
/// passes give dates. A caller that continues from the last date or from a later instant gets no
/// date twice.
public enum NextDate {
    /// The first instant after `instant` at which a zone's clocks match the components; nil if no
    /// date matches.
    ///
    /// The calendar of the components must be Gregorian or that of ISO 8601. The zone in the
    /// components is ignored. The Gregorian calendar is also used for the days before 1582.
    public static func find(
        matching components: CalendarComponents, after instant: Instant, in rules: ZoneRules
    ) -> Instant? {
        DatePattern(components)?.date(after: instant, in: rules)
    }

    /// Whether any date at all, past or future, can match.
    public static func canMatch(_ components: CalendarComponents) -> Bool {
        DatePattern(components)?.canMatch ?? false
    }
}
