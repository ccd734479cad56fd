package import DesktopBus
package import NotificationModel

/// Requests as `a{sv}`: the keys of the JSON form, with content and identifier side by side.
package enum RequestCoding {
    /// A request as `a{sv}`.
    package static func encode(
        _ request: NotificationRequest
    ) throws(NotificationError) -> BusValue {
        try ContentCoding.checkDepth(of: request.content)
        return BusValue(NotificationRequest.record.entries(of: request))
    }

    static func encode(
        _ request: NotificationRequest, into list: inout EntryList
    ) throws(NotificationError) {
        try ContentCoding.checkDepth(of: request.content)
        list.add(NotificationRequest.record.entries(of: request))
    }

    /// The request of an `a{sv}`.
    package static func decode(_ value: BusValue) throws(NotificationError) -> NotificationRequest {
        guard let entries = RecordValue(value).entries else {
            return try decode(KeyedValues(value, of: "the request"))
        }
        return try NotificationRequest.record.value(of: entries, "the request")
    }

    static func decode(_ values: KeyedValues) throws(NotificationError) -> NotificationRequest {
        try NotificationRequest.record.value(of: values.records, values.place)
    }
}

/// What a notification says, as entries of its request's `a{sv}`.
enum ContentCoding {
    static func encode(
        _ content: NotificationContent, into list: inout EntryList
    ) throws(NotificationError) {
        try checkDepth(of: content)
        list.add(NotificationContent.record.entries(of: content))
    }

    static func decode(_ values: KeyedValues) throws(NotificationError) -> NotificationContent {
        try NotificationContent.record.value(of: values.records, values.place)
    }

    /// D-Bus allows 64 levels, of which the message and its variants need some.
    static func checkDepth(of content: NotificationContent) throws(NotificationError) {
        for tree in [content.userInfo] + content.attachments.map(\.options) {
            // The limit counts the dictionary itself.
            guard tree.values.allSatisfy({ $0.depth < PropertyListValue.maximumDepth }) else {
                throw NotificationError(
                    .invalidArgument,
                    "The user info or an attachment's options nest deeper than "
                        + "\(PropertyListValue.maximumDepth) levels. Store nested data as bytes.")
            }
        }
    }
}
