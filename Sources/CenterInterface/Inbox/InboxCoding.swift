internal import NotificationModel

/// Converts an item of the inbox to and from JSON; its request has the same keys as on the bus.
enum InboxCoding {
    private struct Contents: Sendable {
        var app = ApplicationID.tocsin
        var item = InboxItem(
            created: Instant(microseconds: 0),
            request: NotificationRequest(identifier: "", content: NotificationContent()), id: "")

        static let record = Record<Contents>([
            Field(required: "app", \.app),
            Field(required: "created", \.item.created),
            Field(required: "request", \.item.request) { NotificationRequest.record },
            Field("nextFire", \.item.nextFire),
            Field("identity", \.item.identity) { ApplicationIdentity.record },
        ]) { Contents() }
    }

    static func text(_ item: InboxItem) throws(NotificationError) -> String {
        try item.request.content.checkDepth()
        let entries = Contents.record.entries(of: Contents(item: item))
        return RecordJSON.text(.record(entries)) + "\n"
    }

    static func item(_ bytes: [UInt8], id: String) throws(NotificationError) -> InboxItem {
        let contents = try Contents.record.value(
            of: RecordJSON.entries(of: bytes, "The file"), "the file")
        var item = contents.item
        item.id = id
        try check(contents.app == .tocsin, "app", "\(contents.app)", "\(ApplicationID.tocsin)")
        try check(
            item.created.isUsable, "created", "\(item.created.microseconds)",
            "a time from 1970 to 9999")
        if let identity = item.identity {
            try check(
                identity.id == .tocsin, "identity", "\(identity.id)",
                "the identity of \(ApplicationID.tocsin)")
        }
        return item
    }

    private static func check(
        _ isRight: Bool, _ key: String, _ value: String, _ wanted: String
    ) throws(NotificationError) {
        guard !isRight else { return }
        throw NotificationError(
            .invalidArgument,
            "The key '\(key)' of the file is \(value.quotedForMessage()); it must be \(wanted).")
    }
}
