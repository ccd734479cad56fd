extension PendingNotification {
    package static let record = Record(
        stateFields + [Field(inline: NotificationRequest.fields, \.request)], make: { empty })

    /// The state of a request, without the request.
    fileprivate static let stateRecord = Record(stateFields, make: { empty })

    private static let stateFields: [Field<PendingNotification>] = [
        Field(required: "app", \.app),
        Field(required: "state", \.state),
        Field("nextFire", \.nextFire),
        Field(required: "serial", \.serial).optional,
        Field("regular", \.regular),
    ]

    /// The value with which reading begins; its fields are placeholders.
    package static let empty = PendingNotification(
        app: .tocsin, request: NotificationRequest.record.make(), state: .pending, nextFire: nil)
}

extension PendingLines {
    /// Adds a line with the state of a request and the fields of the request.
    ///
    /// `request` is the request's JSON object from the store.
    ///
    /// The request is not decoded: otherwise a list of 100,000 requests would take twice as long.
    package mutating func append(
        _ state: PendingNotification, request: some Collection<UInt8>
    ) throws(NotificationError) {
        lines += try RecordJSON.bytes(
            of: PendingNotification.stateRecord.entries(of: state), "the list")
        // A comma replaces the closing brace, so that the request's fields follow.
        lines[lines.count - 1] = UInt8(ascii: ",")
        lines.append(contentsOf: request.dropFirst())
        lines.append(UInt8(ascii: "\n"))
    }

    /// Passes the request of each line to `body`.
    ///
    /// - Throws: `invalidArgument` if a line cannot be read.
    package func forEach(
        _ body: (PendingNotification) -> Void
    ) throws(NotificationError) {
        var place = 0
        while place < lines.count {
            let entries = try RecordJSON.entries(of: lines, at: &place, "the line")
            body(try PendingNotification.record.value(of: entries, "the line"))
        }
    }
}

extension DeliveredNotification {
    package static let record = Record<DeliveredNotification>([
        Field(required: "app", \.app),
        Field(constant: "state", .string("delivered")),
        Field(required: "date", \.date),
        Field("snoozedUntil", \.snoozedUntil),
        Field("due", \.due),
        Field(inline: NotificationRequest.fields, \.request),
    ]) {
        DeliveredNotification(
            app: .tocsin, request: NotificationRequest.record.make(),
            date: Instant(microseconds: 0))
    }
}

extension NotificationRecord {
    /// A missed or skipped date of a request, or damage to the store.
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
    package static let record = Record<SkippedOccurrence>([
        Field(required: "skipped", \.skipped),
        Field(required: "next", \.next),
    ]) { SkippedOccurrence(skipped: Instant(microseconds: 0), next: Instant(microseconds: 0)) }
}
