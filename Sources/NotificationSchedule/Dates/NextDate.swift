public import NotificationModel

/// The next date that calendar components match; pure.
///
/// A time that a gap removes moves to the gap's end; a day that its month lacks moves to the next
/// existing instant. With an hour there is one date a day, the first pass of a repeated hour;
/// without one every real hour or minute counts. A caller that goes on from the last date, or from
/// any instant after it, never meets an occurrence again.
public enum NextDate {
    /// The first instant after this one at which the clocks of a zone show what the components
    /// say, or nil where there is none.
    ///
    /// The components are those of the Gregorian calendar or of ISO 8601; their zone is not looked
    /// at. Days before 1582 are counted as if the calendar had always been.
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
