/// What becomes of a date that was missed: the machine was off or asleep, or nothing could show it.
public enum CatchUp: String, Hashable, Sendable, CaseIterable {
    /// It is shown late, once; several missed dates of one request merge into one.
    case once
    /// It is not shown; a request that repeats goes on with its next date.
    case skip

    /// The longest that `skip` still takes for punctual, in seconds.
    public static let tolerance = 60.0
}
