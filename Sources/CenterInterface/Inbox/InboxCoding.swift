internal import DesktopBus
internal import NotificationModel

/// The text of an item of the inbox: one JSON object, with the names of the bus interface.
enum InboxCoding {
    static func text(_ item: InboxItem) throws(NotificationError) -> String {
        var list = EntryList()
        list.text("app", ApplicationID.tocsin.rawValue)
        list.instant("created", item.created)
        list.add("request", try RequestCoding.encode(item.request))
        list.add("category", item.category.map { CategoryCoding.encode($0) })
        list.add("identity", item.identity.map { IdentityCoding.encode($0, .init()) })
        return JSONCoding.text(list.value) + "\n"
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
        let created = Instant(microseconds: try values.requiredInteger("created"))
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
