import NotificationModel

/// A request as the store keeps it: its own record, and what only the store knows beside it.
struct StoredRequest: Sendable {
    var request: NotificationRequest
    /// Whether a service extension may change it before it is shown.
    var isMutable = false
    /// The last date of a waiting request that was skipped.
    var skipped: Instant?
    /// When a waiting request was due before it was snoozed.
    var regular: DueTime?

    static let record = Record<StoredRequest>([
        Field(inline: NotificationRequest.fields, \.request),
        Field("mutable", \.isMutable, false),
        Field("skipped", \.skipped),
        Field("regular", \.regular) { DueTime.record },
    ]) {
        StoredRequest(
            request: NotificationRequest(identifier: "", content: NotificationContent()))
    }
}

extension DueTime {
    static let record = Record<DueTime>([
        Field(required: "wall", \.wall),
        Field("boot", \.boot),
        Field("zone", \.zone),
        Field("fired", \.fired),
    ]) { DueTime.never }
}
