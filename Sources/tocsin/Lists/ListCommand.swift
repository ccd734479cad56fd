internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin list`: lists pending requests or delivered notifications.
struct ListCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List pending or delivered notifications.",
        discussion: """
            Without an option, lists the pending notifications of this tool. A terminal shows \
            them day by day, below a bar of the next 24 hours; any other output gets a table.
            """)

    @Flag(help: "Lists delivered notifications, newest first.")
    var delivered = false

    @OptionGroup var scope: AppScope

    @Flag(help: "Lists day by day, even if the output is no terminal.")
    var agenda = false

    @Flag(help: "Shows the commands of clicks, too.")
    var commands = false

    @Flag(help: "Prints the identifiers alone.")
    var ids = false

    @Flag(
        help: ArgumentHelp(
            "Leaves out identifiers that need quotes in a shell.", visibility: .hidden))
    var plain = false

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        guard !ids || !(agenda || json || commands) else {
            throw ValidationError(
                "'--ids' excludes '--agenda', '--commands' and '--json'; leave one out")
        }
        guard !agenda || !(delivered || json || commands) else {
            throw ValidationError(
                "'--agenda' excludes '--delivered', '--commands' and '--json'; leave one out")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        let app = try scope.resolved()
        let center =
            try await delivered
            ? .open(environment) : CenterClient.openOrInbox(environment, reading: true)
        let table = commands ? try CommandFile(environment).read() : nil
        let times = RelativeTime(environment)
        let (waitsForLogin, terminal) = (center.waitsForLogin, Terminal(environment))
        if ids {
            let rows = try await rows(at: center, of: app, as: \.request.identifier)
            try Output.identifiers(rows, isPlain: plain)
        } else if json {
            let format = NotificationJSON(zone: times.zone, waitsForLogin: waitsForLogin)
            let lines = try await rows(at: center, of: app) {
                $0.object(format, commands: table).text
            }
            try Output.lines(lines)
        } else if agenda || (terminal.isTerminal && !delivered && !commands) {
            let rows = try await rows(at: center, of: app, as: \.pending).compactMap(\.self)
            guard !rows.isEmpty else { return warnOfNothing() }
            var agenda = agenda(of: rows, on: terminal, in: environment)
            agenda.waitsForLogin = waitsForLogin
            try Output.write(agenda.text)
        } else {
            let table = ListTable(
                times: times, showsApp: scope.allApps, isNumbered: !scope.allApps,
                waitsForLogin: waitsForLogin, commands: table)
            let rows = try await rows(at: center, of: app, as: table.row)
            guard !rows.isEmpty else { return warnOfNothing() }
            try Output.write(table.text(of: rows))
        }
    }

    /// Maps the notifications with `row`; if there are none, names a store that may have them.
    private func rows<Row: Sendable>(
        at center: CenterClient, of app: ApplicationID?,
        as row: @escaping @Sendable (ListedNotification) -> Row
    ) async throws -> [Row] {
        let rows = try await center.notifications(of: app, delivered: delivered, as: row)
        if rows.isEmpty, let notice = await OtherStore.notice(at: center) {
            let kind = delivered ? "delivered" : "pending"
            Output.warn("tocsin: nothing is \(kind) here, but \(notice)")
        }
        return rows
    }

    private func warnOfNothing() {
        Output.warn(delivered ? "Nothing is delivered." : "Nothing is pending.")
    }

    private func agenda(
        of pending: [PendingNotification], on terminal: Terminal, in environment: ToolEnvironment
    ) -> Agenda {
        let upcoming = FireDateForecast(environment: environment)
        let end = environment.now.adding(microseconds: 86_400_000_000)
        let dates = pending.filter { $0.nextFire ?? end < end }.flatMap { pending in
            upcoming.dates(of: pending, limit: 1_440, until: end).map(\.instant)
        }
        return Agenda(
            rows: pending, dates: dates, times: RelativeTime(environment), terminal: terminal,
            showsApp: scope.allApps)
    }
}

extension ListedNotification {
    /// The object of `--json`, with the commands of clicks if a table is given.
    func object(_ format: NotificationJSON, commands: CommandTable? = nil) -> RecordValue {
        let own = commands.map { [RecordEntry("commands", $0[key]?.object ?? .null)] } ?? []
        return .record(format.members(self) + own)
    }

    fileprivate var pending: PendingNotification? {
        if case .pending(let pending) = self { pending } else { nil }
    }

    /// The texts of the columns WHEN and TIME: the distance from now, and the date.
    ///
    /// A region that is not due has its event and its place there.
    fileprivate func dates(_ times: RelativeTime) -> (String, String) {
        let date: Instant?
        switch self {
        case .pending(let pending):
            if case .region(let region, _) = request.trigger {
                guard let due = pending.nextFire else { return (region.event, region.placeText) }
                return (times.distance(due), times.absolute(due))
            }
            date = pending.nextFire
        case .delivered(let delivered): date = delivered.date
        case .ended: date = nil
        }
        return date.map { (times.distance($0), times.absolute($0)) } ?? ("-", "-")
    }

    fileprivate var rule: String? {
        if case .rule(let rule) = request.trigger, case .pending = self { return rule.text }
        return nil
    }
}

/// The table of `tocsin list`: a heading, and a row for each notification.
///
/// These columns appear only if they are needed:
/// - RULE if any request has a rule.
/// - RUNS if `commands` is given.
/// - STATE if the requests wait for a login.
struct ListTable {
    var times: RelativeTime
    var showsApp: Bool
    var isNumbered = false
    var waitsForLogin = false
    var commands: CommandTable?

    /// The texts of one row; nothing else of its notification stays in memory.
    struct Row {
        fileprivate var identifier, app: String
        fileprivate var distance, date: String
        fileprivate var rule: String?
        fileprivate var title: String
        fileprivate var runs = "-"
    }

    func row(_ listed: ListedNotification) -> Row {
        let (distance, date) = listed.dates(times)
        return Row(
            identifier: listed.key.identifier, app: listed.key.app.rawValue, distance: distance,
            date: date, rule: listed.rule, title: listed.request.content.title,
            runs: commands?[listed.key]?.text ?? "-")
    }

    func text(of rows: [Row]) -> String {
        let showsRule = rows.contains { $0.rule != nil }
        func cells(_ number: String, _ row: Row, state: String) -> [String] {
            var cells: [String] = []
            cells.reserveCapacity(8)
            if isNumbered { cells.append(number) }
            cells.append(row.identifier)
            if showsApp { cells.append(row.app) }
            cells.append(row.distance)
            cells.append(row.date)
            if waitsForLogin { cells.append(state) }
            if showsRule { cells.append(row.rule ?? "-") }
            cells.append(row.title)
            if commands != nil { cells.append(row.runs) }
            return cells
        }
        let heading = Row(
            identifier: "ID", app: "APP", distance: "WHEN", date: "TIME", rule: "RULE",
            title: "TITLE", runs: "RUNS")
        var table = TextTable(heading: cells("#", heading, state: "STATE"))
        for (index, row) in rows.enumerated() {
            table.add(cells(String(index + 1), row, state: "waits for login"))
        }
        return table.text
    }
}
