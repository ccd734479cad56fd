package import DesktopBus
package import NotificationModel

/// Requests as `a{sv}`: the keys of the JSON form, with content and identifier side by side.
package enum RequestCoding {
    /// A request as `a{sv}`.
    package static func encode(
        _ request: NotificationRequest
    ) throws(NotificationError) -> BusValue {
        var list = EntryList()
        try encode(request, into: &list)
        return list.value
    }

    static func encode(
        _ request: NotificationRequest, into list: inout EntryList
    ) throws(NotificationError) {
        list.add("id", .string(request.identifier))
        try ContentCoding.encode(request.content, into: &list)
        list.add("trigger", request.trigger.map { TriggerCoding.encode($0) })
        if request.catchUp != .once { list.text("catchUp", request.catchUp.rawValue) }
        list.add("grace", request.grace.map { .double($0) })
    }

    /// The request of an `a{sv}`.
    package static func decode(_ value: BusValue) throws(NotificationError) -> NotificationRequest {
        try decode(KeyedValues(value, of: "the request"))
    }

    static func decode(_ values: KeyedValues) throws(NotificationError) -> NotificationRequest {
        var request = NotificationRequest(
            identifier: try values.required("id"), content: try ContentCoding.decode(values),
            trigger: try values.dictionary("trigger").map { value throws(NotificationError) in
                try TriggerCoding.decode(value)
            })
        request.catchUp = try catchUp(values)
        request.grace = try values.real("grace")
        return request
    }

    private static func catchUp(_ values: KeyedValues) throws(NotificationError) -> CatchUp {
        guard let name = try values.string("catchUp") else { return .once }
        guard let catchUp = CatchUp(rawValue: name) else {
            throw values.wrongValue("catchUp", name, wanted: "once or skip")
        }
        return catchUp
    }
}
