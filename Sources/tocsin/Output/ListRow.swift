internal import NotificationModel

/// One line of `tocsin list`.
enum ListRow {
    case pending(PendingNotification)
    case delivered(DeliveredNotification)

    init(_ notification: PendingNotification) {
        self = .pending(notification)
    }

    init(_ notification: DeliveredNotification) {
        self = .delivered(notification)
    }

    var app: ApplicationID {
        switch self {
        case .pending(let pending): pending.app
        case .delivered(let delivered): delivered.app
        }
    }

    var request: NotificationRequest {
        switch self {
        case .pending(let pending): pending.request
        case .delivered(let delivered): delivered.request
        }
    }

    func object(_ format: NotificationJSON, commands: CommandTable? = nil) -> RecordValue {
        let found: Found =
            switch self {
            case .pending(let pending): .pending(pending)
            case .delivered(let delivered): .delivered(delivered)
            }
        let own = commands.map { [RecordEntry("commands", $0[key]?.object ?? .null)] } ?? []
        return .record(format.members(found) + own)
    }

    private var key: NotificationKey {
        NotificationKey(app: app, identifier: request.identifier)
    }

    /// When it fires or was delivered.
    private func cells(_ times: RelativeTime) -> [String] {
        let date: Instant? =
            switch self {
            case .pending(let pending): pending.nextFire
            case .delivered(let delivered): delivered.date
            }
        if case .region(let region, _) = request.trigger, case .pending = self {
            return ["unmonitored", "region \(region.identifier)"]
        }
        guard let date else { return ["-", "-"] }
        return [times.distance(date), times.absolute(date)]
    }

    /// The rule by which it repeats; nil where it has none.
    private var rule: String? {
        if case .rule(let rule) = request.trigger, case .pending = self { return rule.text }
        return nil
    }

    /// The rows below a heading, in aligned columns, with the numbers by which commands take them;
    /// rules have a column where there are any, and so have commands where they are given; what
    /// waits for a login says so.
    static func table(
        _ rows: [ListRow], times: RelativeTime, showsApp: Bool, isNumbered: Bool = false,
        waitsForLogin: Bool = false, commands: CommandTable? = nil
    ) -> String {
        let showsRule = rows.contains { $0.rule != nil }
        var heading = (isNumbered ? ["#"] : []) + ["ID"] + (showsApp ? ["APP"] : [])
        heading += ["WHEN", "TIME"] + (waitsForLogin ? ["STATE"] : [])
        heading += (showsRule ? ["RULE"] : []) + ["TITLE"]
        heading += commands == nil ? [] : ["RUNS"]
        var table = TextTable(heading: heading)
        for (index, row) in rows.enumerated() {
            var cells = (isNumbered ? [String(index + 1)] : []) + [row.request.identifier]
            cells += (showsApp ? [row.app.rawValue] : []) + row.cells(times)
            cells += waitsForLogin ? ["waits for login"] : []
            cells += (showsRule ? [row.rule ?? "-"] : []) + [row.request.content.title]
            cells += commands.map { [$0[row.key]?.text ?? "-"] } ?? []
            table.add(cells)
        }
        return table.text
    }
}
