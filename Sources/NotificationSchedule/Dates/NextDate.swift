public import NotificationModel

/// The next date that calendar components match; pure.
///
/// A time that a gap removes moves to the gap's end; a day that its month lacks moves to the next
/// existing instant. With an hour there is one date a day, the first pass of a repeated hour;
/// without one every real hour or minute counts. Whoever goes on from the last date, or from any
/// instant after it, never meets an occurrence again.
public struct NextDate: Hashable, Sendable {
    /// Why a date is another than the components say.
    public enum Shift: Hashable, Sendable, CustomStringConvertible {
        /// The clocks are put forward over this time: the gap's end.
        case gap(removed: CivilTime)
        /// The month has no such day: the instant after its end.
        case missingDay(Int)

        /// A sentence for people, `02:30 is left out that day: the clocks are put forward`.
        public var description: String {
            switch self {
            case .gap(let time):
                "\(Self.twoDigits(time.hour)):\(Self.twoDigits(time.minute)) is left out that day: "
                    + "the clocks are put forward"
            case .missingDay(let day): "the month has no day \(day)"
            }
        }

        private static func twoDigits(_ number: Int) -> String {
            number < 10 ? "0\(number)" : "\(number)"
        }
    }

    /// The date.
    public let instant: Instant
    /// Why it is another than the components say; nil where it is not.
    public let shift: Shift?

    /// Makes a date.
    package init(instant: Instant, shift: Shift?) {
        self.instant = instant
        self.shift = shift
    }

    /// The first date after this instant on which the clocks of a zone show what the components
    /// say, or nil where there is none.
    ///
    /// The components are those of the Gregorian calendar or of ISO 8601; their zone is not looked
    /// at. Days before 1582 are counted as if the calendar had always been.
    public static func find(
        matching components: CalendarComponents, after instant: Instant, in rules: ZoneRules
    ) -> NextDate? {
        guard let pattern = DatePattern(components) else { return nil }
        let search = WallClockSearch(
            rules: rules, countsRepeated: pattern.time.repeatsWithinDay,
            namesDays: pattern.namesDays, day: pattern.day, next: pattern.next(after:))
        return search.date(after: instant)
    }

    /// Whether any date at all, past or future, can match.
    public static func canMatch(_ components: CalendarComponents) -> Bool {
        DatePattern(components)?.next(after: .min / 2) != nil
    }
}
