package import DesktopBus
package import NotificationModel

/// Triggers as `a{sv}` with the keys of the JSON form: `kind`, then what the kind needs.
package enum TriggerCoding {
    /// A trigger as `a{sv}`.
    package static func encode(_ trigger: NotificationTrigger) -> BusValue {
        var list = EntryList()
        switch trigger {
        case .interval(let seconds, let repeats):
            list.text("kind", "interval")
            list.add("seconds", .double(seconds))
            list.flag("repeats", repeats)
        case .at(let instant):
            list.text("kind", "at")
            list.instant("date", instant)
        case .calendar(let components, let repeats):
            list.text("kind", "calendar")
            list.add("components", encode(components))
            list.text("calendar", components.calendar)
            list.text("timeZone", components.timeZone)
            list.flag("repeats", repeats)
        case .push:
            list.text("kind", "push")
        }
        return list.value
    }

    /// The trigger of an `a{sv}`.
    static func decode(_ values: KeyedValues) throws(NotificationError) -> NotificationTrigger {
        let kind = try values.required("kind")
        switch kind {
        case "interval":
            guard let seconds = try values.real("seconds") else {
                throw values.wrongType("seconds", wanted: "a number")
            }
            return .interval(seconds: seconds, repeats: try values.flag("repeats"))
        case "at":
            return .at(Instant(microseconds: try values.requiredInteger("date")))
        case "calendar":
            return .calendar(try components(values), repeats: try values.flag("repeats"))
        case "push":
            return .push
        default:
            throw values.wrongValue("kind", kind, wanted: "interval, at, calendar or push")
        }
    }

    private static func encode(_ components: CalendarComponents) -> BusValue {
        var list = EntryList()
        for field in CalendarComponents.fields {
            list.integer(field.name, components[keyPath: field.path])
        }
        list.add("isLeapMonth", components.isLeapMonth.map { .bool($0) })
        return list.value
    }

    private static func components(
        _ values: KeyedValues
    ) throws(NotificationError) -> CalendarComponents {
        var components = CalendarComponents()
        components.calendar = try values.string("calendar")
        components.timeZone = try values.string("timeZone")
        guard let parts = try values.dictionary("components") else {
            throw values.wrongType("components", wanted: "a dictionary")
        }
        for field in CalendarComponents.fields {
            components[keyPath: field.path] = try parts.integer(field.name).map { Int($0) }
        }
        components.isLeapMonth = try parts.bool("isLeapMonth")
        return components
    }
}
