internal import DesktopBus
internal import NotificationModel

/// Records of what came to nothing as `a{sv}`.
enum RecordCoding {
    static func encode(_ record: NotificationRecord) -> BusValue {
        var list = EntryList()
        list.text("app", record.app?.rawValue)
        list.text("id", record.identifier)
        list.text("title", record.title)
        list.instant("date", record.date)
        list.instant("due", record.due)
        list.text("reason", record.reason.rawValue)
        list.text("message", record.message)
        return list.value
    }

    static func decode(_ values: KeyedValues) throws(NotificationError) -> NotificationRecord {
        let app = try values.string("app")
        return NotificationRecord(
            app: try app.map { text throws(NotificationError) in try ApplicationID(text) },
            identifier: try values.text("id"), title: try values.text("title"),
            date: try values.requiredInstant("date"),
            due: try values.instant("due"), reason: .init(rawValue: try values.required("reason")),
            message: try values.text("message"))
    }
}
