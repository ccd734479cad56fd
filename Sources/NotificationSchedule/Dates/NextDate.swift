public import NotificationModel

/// Finds the next date that calendar components match.
///
/// A gap is the time that clocks skip when they are put forward. A date in a gap moves to the gap's
/// end. If a month lacks the day, and no part depends on weekdays, the date is the start of the
/// next month. When clocks are put back, they show an hour twice. If the components match one time
/// a day, only the first pass of this hour gives a date. If the components match times in each
/// hour, both passes give dates. A caller that continues from the last date or from a later instant
/// gets no date twice.
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
