internal import NotificationModel
internal import NotificationSchedule

/// Makes JSON objects of notifications, for `list --json`, `export` and `show --json`.
///
/// Times are in RFC 3339, in the user's zone.
struct NotificationJSON {
    /// The members of a request's record that `list --json` omits if they have the default value.
    private static let listed: Set = ["catchUp", "grace"]

    /// The keys of a trigger in these objects.
    private static let triggerKeys = NotificationTrigger.record.keys + [RecordKey("monitored")]

    /// All keys that `list`, `show` and `export` write; `import` refuses any other key.
    static let keys: [RecordKey] =
        NotificationRequest.record.keys.filter { $0.name != "trigger" } + [
            RecordKey("trigger") { Self.triggerKeys },
            RecordKey("app"), RecordKey("state"), RecordKey("nextFire"), RecordKey("repeats"),
            RecordKey("waitsForLogin"), RecordKey("regular"), RecordKey("delivered"),
            RecordKey("commands") { ClickCommands.keys },
            RecordKey("next"), RecordKey("reasons"), RecordKey("lacks"), RecordKey("records"),
        ]

    var zone: ZoneRules
    /// Whether the pending requests are in the inbox; if so, no region is monitored yet.
    var waitsForLogin = false

    /// The object of a notification in `list --json`.
    func object(_ found: ListedNotification) -> RecordValue { .record(members(found)) }

    /// The members of `list --json`; with `isWhole` also all members of the request's record.
    func members(_ found: ListedNotification, isWhole: Bool = false) -> [RecordEntry] {
        let (request, content) = (found.request, found.request.content)
        var (state, nextFire) = ("ended", Instant?.none)
        var others: [RecordEntry] = []
        switch found {
        case .pending(let pending):
            (state, nextFire) = (pending.state.rawValue, pending.nextFire)
            if waitsForLogin { others.append(.init("waitsForLogin", true)) }
            if isWhole, let regular = pending.regular {
                others.append(.init("regular", zone.rfc3339(regular)))
            }
        case .delivered(let delivered):
            state = "delivered"
            if isWhole { others.append(.init("delivered", zone.rfc3339(delivered.date))) }
        case .ended: break
        }
        let promised: [RecordEntry] = [
            .init("id", request.identifier), .init("app", found.key.app.rawValue),
            .init("title", content.title), .init("subtitle", content.subtitle),
            .init("body", content.body), .init("state", state),
            .init("nextFire", nextFire.map(zone.rfc3339)),
            .init("repeats", request.trigger?.repeats ?? false),
            .init("trigger", request.trigger.map(object) ?? .null),
        ]
        // Return early: few requests have further members, and making the record to find these
        // members takes longer than all the work above.
        guard isWhole || request.catchUp != .once || request.grace != nil else {
            return promised + others
        }
        let names = Set(promised.map(\.name))
        let rest = NotificationRequest.record.entries(of: request).filter {
            !names.contains($0.name) && (isWhole || Self.listed.contains($0.name))
        }
        return promised + rest + others
    }

    /// The record of a trigger with all keys of its kind, even those with default values, because
    /// programs expect every key.
    private func object(_ trigger: NotificationTrigger) -> RecordValue {
        var entries = NotificationTrigger.record.allEntries(of: trigger)
        if case .region = trigger { entries.append(.init("monitored", !waitsForLogin)) }
        return .record(
            entries.map { entry in
                guard case .instant(let date) = entry.value else { return entry }
                return RecordEntry(entry.name, zone.rfc3339(date))
            })
    }
}

extension RecordEntry {
    /// A member of a JSON object; null if there is no value.
    init(_ name: String, _ value: (some RecordScalar)?) {
        self.init(name, value?.recordValue ?? .null)
    }
}

extension RecordValue {
    /// The object with a notification's `id`, and with the members that a command adds.
    static func identifier(_ text: String, _ others: [RecordEntry] = []) -> RecordValue {
        .record([.init("id", text)] + others)
    }

    /// JSON on one line.
    var text: String { RecordJSON.text(self) }
}
