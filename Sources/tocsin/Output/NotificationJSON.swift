internal import NotificationModel
internal import NotificationSchedule

/// Notifications as the JSON objects of `list --json`; times as RFC 3339 in the user's zone.
struct NotificationJSON {
    var zone: ZoneOffsets
    /// Whether what is pending lies in the inbox, which is told by one more member.
    var waitsForLogin = false

    func object(_ pending: PendingNotification) -> JSONValue {
        let object = object(
            app: pending.app, pending.request, state: pending.state.rawValue,
            nextFire: pending.nextFire)
        guard waitsForLogin, case .object(let members) = object else { return object }
        return .object(members + [.init("waitsForLogin", .bool(true))])
    }

    func object(_ delivered: DeliveredNotification) -> JSONValue {
        object(app: delivered.app, delivered.request, state: "delivered", nextFire: nil)
    }

    /// What neither waits nor was delivered, and of which the title alone is known.
    func object(ended request: NotificationRequest, of app: ApplicationID) -> JSONValue {
        object(app: app, request, state: "ended", nextFire: nil)
    }

    private func object(
        app: ApplicationID, _ request: NotificationRequest, state: String, nextFire: Instant?
    ) -> JSONValue {
        .object(
            [
                .init("id", .string(request.identifier)),
                .init("app", .string(app.rawValue)),
                .init("title", .string(request.content.title)),
                .init("subtitle", .string(request.content.subtitle)),
                .init("body", .string(request.content.body)),
                .init("state", .string(state)),
                .init("nextFire", nextFire.map { .string(RFC3339.text($0, zone: zone)) } ?? .null),
                .init("repeats", .bool(request.trigger?.repeats ?? false)),
                .init("trigger", request.trigger.map(object) ?? .null),
            ] + late(request))
    }

    /// What was said about missed dates; nothing where nothing was said.
    private func late(_ request: NotificationRequest) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if request.catchUp != .once {
            members.append(.init("catchUp", .string(request.catchUp.rawValue)))
        }
        if let grace = request.grace { members.append(.init("grace", .number(grace))) }
        return members
    }

    private func object(_ trigger: NotificationTrigger) -> JSONValue {
        switch trigger {
        case .interval(let seconds, let repeats):
            .object([
                .init("kind", .string("interval")), .init("seconds", .number(seconds)),
                .init("repeats", .bool(repeats)),
            ])
        case .at(let instant):
            .object([
                .init("kind", .string("at")),
                .init("date", .string(RFC3339.text(instant, zone: zone))),
            ])
        case .calendar(let components, let repeats):
            .object(
                [
                    .init("kind", .string("calendar")), .init("components", object(components)),
                    .init("timeZone", JSONValue(components.timeZone)),
                    .init("repeats", .bool(repeats)),
                ] + (components.calendar.map { [.init("calendar", .string($0))] } ?? []))
        case .rule(let rule):
            .object([
                .init("kind", .string("rule")), .init("rule", .string(rule.text)),
                .init("timeZone", JSONValue(rule.timeZone)),
                .init("until", JSONValue(rule.until.map { RFC3339.text($0, zone: zone) })),
                .init("count", rule.count.map { .integer(Int64($0)) } ?? .null),
            ])
        case .push:
            .object([.init("kind", .string("push"))])
        case .region(let region, let repeats):
            .object([
                .init("kind", .string("region")), .init("identifier", .string(region.identifier)),
                .init("latitude", .number(region.latitude)),
                .init("longitude", .number(region.longitude)),
                .init("radius", .number(region.radius)), .init("onEntry", .bool(region.onEntry)),
                .init("onExit", .bool(region.onExit)), .init("repeats", .bool(repeats)),
                .init("monitored", .bool(false)),
            ])
        }
    }

    private func object(_ components: CalendarComponents) -> JSONValue {
        var members = CalendarComponents.fields.compactMap { field in
            components[keyPath: field.path].map {
                JSONValue.Member(field.name, .integer(Int64($0)))
            }
        }
        if let isLeapMonth = components.isLeapMonth {
            members.append(.init("isLeapMonth", .bool(isLeapMonth)))
        }
        return .object(members)
    }
}
