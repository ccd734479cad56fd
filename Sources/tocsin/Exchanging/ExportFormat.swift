internal import CenterInterface
internal import DesktopBus
internal import NotificationModel
internal import NotificationSchedule

/// Whole notifications as JSON objects: those of `list --json`, and everything else by the names of
/// the daemon's interface.
struct ExportFormat {
    var zone: ZoneOffsets

    /// The members that `list --json` has in a form of its own.
    private static let listed: Set = [
        "id", "title", "subtitle", "body", "trigger", "catchUp", "grace",
    ]

    /// A notification.
    func object(_ found: Found) -> [JSONValue.Member] {
        let format = NotificationJSON(zone: zone)
        let base: JSONValue
        var members: [JSONValue.Member] = []
        switch found {
        case .pending(let pending): base = format.object(pending)
        case .delivered(let delivered):
            base = format.object(delivered)
            members.append(
                .init("delivered", .string(RFC3339.text(delivered.date, zone: zone))))
        case .ended(let app, let request): base = format.object(ended: request, of: app)
        }
        for entry in NotificationRequest.record.entries(of: found.request)
            .sorted(by: { $0.name < $1.name })
        where !Self.listed.contains(entry.name) {
            members.append(.init(entry.name, .verbatim(RecordJSON.text(entry.value))))
        }
        guard case .object(let listed) = base else { return members }
        return listed + members
    }
}
