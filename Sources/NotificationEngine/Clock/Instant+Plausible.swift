import NotificationModel

extension Instant {
    /// 2020-01-01: earlier dates come from a clock that was not set since it lost its power.
    static let firstPlausible = Instant(microseconds: 1_577_836_800_000_000)
}
