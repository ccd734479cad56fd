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

    /// A notification and the category of its buttons.
    func object(
        _ found: Found, _ category: NotificationCategory?
    ) throws(ToolError) -> [JSONValue.Member] {
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
        do throws(NotificationError) {
            let values = try RequestCoding.encode(found.request).vardictValue ?? [:]
            for (key, value) in values.sorted(by: { $0.key < $1.key })
            where !Self.listed.contains(key) {
                members.append(.init(key, .verbatim(JSONCoding.text(value))))
            }
        } catch {
            throw ToolError(error)
        }
        if let category {
            members.append(
                .init("buttons", .verbatim(JSONCoding.text(CategoryCoding.encode(category)))))
        }
        guard case .object(let listed) = base else { return members }
        return listed + members
    }
}
