extension PendingNotification {
    /// A request and its state.
    package static let record = Record<PendingNotification>([
        Field(required: "app", \.app),
        Field(required: "state", \.state),
        Field("nextFire", \.nextFire),
        Field(required: "serial", \.serial).optional,
        Field(inline: NotificationRequest.fields, \.request),
    ]) {
        PendingNotification(
            app: .tocsin, request: NotificationRequest.record.make(), state: .pending,
            nextFire: nil)
    }
}

extension DeliveredNotification {
    /// A request and its date of delivery.
    package static let record = Record<DeliveredNotification>([
        Field(required: "app", \.app),
        Field(constant: "state", .string("delivered")),
        Field(required: "date", \.date),
        Field(inline: NotificationRequest.fields, \.request),
    ]) {
        DeliveredNotification(
            app: .tocsin, request: NotificationRequest.record.make(),
            date: Instant(microseconds: 0))
    }
}

extension NotificationRecord {
    /// A notification that was not shown, with the reason.
    package static let record = Record<NotificationRecord>([
        Field("app", \.app),
        Field("id", \.identifier, ""),
        Field("title", \.title, ""),
        Field(required: "date", \.date),
        Field("due", \.due),
        Field(required: "reason", \.reason),
        Field("message", \.message, ""),
    ]) {
        NotificationRecord(
            app: nil, identifier: "", date: Instant(microseconds: 0), reason: .failed, message: "")
    }
}

extension SkippedOccurrence {
    /// Both dates.
    package static let record = Record<SkippedOccurrence>([
        Field(required: "skipped", \.skipped),
        Field(required: "next", \.next),
    ]) { SkippedOccurrence(skipped: Instant(microseconds: 0), next: Instant(microseconds: 0)) }
}
