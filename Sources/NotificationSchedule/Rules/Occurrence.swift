public import NotificationModel

/// One date on which a rule fires, and why it is not the one that the rule says, where it is not.
public struct Occurrence: Hashable, Sendable {
    /// A local time that a zone's clocks leave out, and what stands in for it.
    public struct Shift: Hashable, Sendable {
        /// The local time that the rule says.
        public var wanted: CivilTime
        /// What the clocks show when they are put forward.
        public var gapStart: CivilTime
        /// What they show right after.
        public var gapEnd: CivilTime

        /// A sentence for people.
        public var note: String {
            let day = RFC3339.date(wanted)
            let time = RFC3339.clock(wanted)
            return "\(time) does not exist on \(day): the clocks go from "
                + "\(RFC3339.clock(gapStart)) to \(RFC3339.clock(gapEnd))"
        }
    }

    /// When the rule fires.
    public var instant: Instant
    /// Why it does not fire at the time that it says; nil where it does.
    public var shift: Shift?

    /// Makes an occurrence.
    public init(instant: Instant, shift: Shift? = nil) {
        self.instant = instant
        self.shift = shift
    }
}
