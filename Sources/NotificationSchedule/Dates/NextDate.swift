public import NotificationModel

/// Finds the next date that calendar components match; pure.
///
/// A time that a gap removes moves to the gap's end. A day that its month lacks moves to the next
/// existing instant. With an hour there is one date a day, in the first pass of a repeated hour.
/// Without an hour every real hour or minute counts. A caller that continues from the last date, or
/// from any later instant, never gets a date twice.
public enum NextDate {
    /// The first instant after this one at which a zone's clocks match the components; nil without
    /// a match.
    ///
    /// The components are Gregorian or of ISO 8601; their own zone is ignored. Days before 1582
    /// count as if the Gregorian calendar had always existed.
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
