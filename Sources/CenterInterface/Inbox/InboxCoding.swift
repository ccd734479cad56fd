internal import DesktopBus
internal import NotificationModel

/// The text of an item of the inbox: one JSON object, with the names of the bus interface.
enum InboxCoding {
    static func text(_ item: InboxItem) throws(NotificationError) -> String {
        try ContentCoding.checkDepth(of: item.request.content)
        var entries = [
            RecordEntry("app", .string(ApplicationID.tocsin.rawValue)),
            RecordEntry("created", .instant(item.created)),
            RecordEntry("request", .record(NotificationRequest.record.entries(of: item.request))),
        ]
        if let category = item.category {
            entries.append(
                RecordEntry("category", RecordValue(CategoryCoding.encode(category))))
        }
        if let identity = item.identity {
            entries.append(
                RecordEntry("identity", RecordValue(IdentityCoding.encode(identity, .init()))))
        }
        return RecordJSON.text(.record(entries)) + "\n"
    }

    static func item(_ bytes: [UInt8], id: String) throws(NotificationError) -> InboxItem {
        let values = try KeyedValues(JSONCoding.value(of: bytes), of: "the file")
        let app = try values.required("app")
        guard app == ApplicationID.tocsin.rawValue else {
            throw values.wrongValue("app", app, wanted: ApplicationID.tocsin.rawValue)
        }
        guard let request = try values.dictionary("request") else {
            throw values.wrongType("request", wanted: "a dictionary")
        }
        let created = try values.requiredInstant("created")
        guard created.isUsable else {
            throw values.wrongValue(
                "created", "\(created.microseconds)", wanted: "a time from 1970 to 9999")
        }
        var item = InboxItem(
            created: created, request: try RequestCoding.decode(request), id: id)
        item.category = try values.dictionary("category").map { value throws(NotificationError) in
            try CategoryCoding.decode(value)
        }
        item.identity = try values.raw("identity").map { value throws(NotificationError) in
            try IdentityCoding.decode(value).identity
        }
        if let identity = item.identity, identity.id != .tocsin {
            throw values.wrongValue(
                "identity", identity.id.rawValue, wanted: "that of \(ApplicationID.tocsin)")
        }
        return item
    }
}
