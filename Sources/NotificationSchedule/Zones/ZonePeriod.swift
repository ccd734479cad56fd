/// A stretch of time in which a zone's offset does not change; its ends need not be changes.
struct ZonePeriod: Hashable, Sendable {
    /// The first second, `Int64.min` where there is none.
    var start: Int64
    /// The second after the last, `Int64.max` where there is none.
    var end: Int64
    /// Seconds east of UTC.
    var offset: Int
    /// Which of the zone's types; those of the footer follow those of the table.
    var type: Int

    /// What the wall clock would show at the end, in seconds; `Int64.max` where there is none.
    var localEnd: Int64 { end == .max ? .max : end + Int64(offset) }
    /// What the wall clock shows at the start, in seconds; `Int64.min` where there is none.
    var localStart: Int64 { start == .min ? .min : start + Int64(offset) }
}
