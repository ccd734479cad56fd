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
        case .rule(let rule):
            list.text("kind", "rule")
            list.add("rule", .string(rule.text))
            list.text("timeZone", rule.timeZone)
            if let until = rule.until { list.instant("until", until) }
            list.integer("count", rule.count)
        case .push:
            list.text("kind", "push")
        case .region(let region, let repeats):
            list.text("kind", "region")
            list.text("identifier", region.identifier)
            list.add("latitude", .double(region.latitude))
            list.add("longitude", .double(region.longitude))
            list.add("radius", .double(region.radius))
            list.flag("onEntry", region.onEntry)
            list.flag("onExit", region.onExit)
            list.flag("repeats", repeats)
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
        case "rule":
            return .rule(
                NotificationRule(
                    try values.required("rule"), timeZone: try values.string("timeZone"),
                    until: try values.instant("until"),
                    count: try values.exactly("count", Int.self)))
        case "push":
            return .push
        case "region":
            return .region(try region(values), repeats: try values.flag("repeats"))
        default:
            throw values.wrongValue(
                "kind", kind, wanted: "interval, at, calendar, rule, region or push")
        }
    }

    private static func region(
        _ values: KeyedValues
    ) throws(NotificationError) -> NotificationRegion {
        func real(_ key: String) throws(NotificationError) -> Double {
            guard let value = try values.real(key) else {
                throw values.wrongType(key, wanted: "a number")
            }
            return value
        }
        return NotificationRegion(
            identifier: try values.string("identifier") ?? "", latitude: try real("latitude"),
            longitude: try real("longitude"), radius: try real("radius"),
            onEntry: try values.flag("onEntry"), onExit: try values.flag("onExit"))
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
