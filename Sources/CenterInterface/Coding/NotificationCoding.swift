package import DesktopBus
package import NotificationModel

/// Pending and delivered notifications as `a{sv}`: a request's keys and those of its place.
package enum NotificationCoding {
    /// A pending notification as `a{sv}`.
    package static func encode(
        _ notification: PendingNotification
    ) throws(NotificationError) -> BusValue {
        var list = EntryList()
        list.text("app", notification.app.rawValue)
        list.text("state", notification.state.rawValue)
        list.instant("nextFire", notification.nextFire)
        list.add("serial", .int64(notification.serial))
        try RequestCoding.encode(notification.request, into: &list)
        return list.value
    }

    /// The pending notification of an `a{sv}`.
    package static func pending(
        _ values: KeyedValues
    ) throws(NotificationError) -> PendingNotification {
        let state = try values.required("state")
        guard let known = PendingNotification.State(rawValue: state) else {
            throw values.wrongValue("state", state, wanted: "pending or presenting")
        }
        return PendingNotification(
            app: try ApplicationID(values.required("app")),
            request: try RequestCoding.decode(values), state: known,
            nextFire: try values.instant("nextFire"), serial: try values.integer("serial") ?? 0)
    }

    /// A delivered notification as `a{sv}`.
    package static func encode(
        _ notification: DeliveredNotification
    ) throws(NotificationError) -> BusValue {
        var list = EntryList()
        list.text("app", notification.app.rawValue)
        list.text("state", "delivered")
        list.instant("date", notification.date)
        try RequestCoding.encode(notification.request, into: &list)
        return list.value
    }

    /// The delivered notification of an `a{sv}`.
    package static func delivered(
        _ values: KeyedValues
    ) throws(NotificationError) -> DeliveredNotification {
        DeliveredNotification(
            app: try ApplicationID(values.required("app")),
            request: try RequestCoding.decode(values),
            date: try values.requiredInstant("date"))
    }
}
