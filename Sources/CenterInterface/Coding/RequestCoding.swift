package import DesktopBus
package import NotificationModel

/// Requests as `a{sv}`: the keys of the JSON form, with content and identifier side by side.
package enum RequestCoding {
    /// A request as `a{sv}`, for a call.
    package static func encode(
        _ request: NotificationRequest
    ) throws(NotificationError) -> BusValue {
        try checkDepth(of: request.content)
        return NotificationRequest.record.busValue(of: request)
    }

    /// The request of an `a{sv}`.
    package static func decode(_ value: BusValue) throws(NotificationError) -> NotificationRequest {
        try NotificationRequest.record.value(of: value, "the request")
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
