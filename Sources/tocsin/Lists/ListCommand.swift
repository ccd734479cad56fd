internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin list`: lists pending requests or delivered notifications.
struct ListCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what is coming, or what was delivered.",
        discussion: """
            Without an option the requests of this tool are listed. On a terminal they come day by \
            day, below a bar of the next 24 hours; otherwise as a table, one line each.
            """)

    @Flag(help: "Lists delivered notifications, newest first.")
    var delivered = false

    @OptionGroup var scope: AppScope

    @Flag(help: "Lists day by day, also where the output is no terminal.")
    var agenda = false

    @Flag(help: "Shows what clicks run, too.")
    var commands = false

    @Flag(help: "Prints the identifiers alone.")
    var ids = false

    @Flag(
        help: ArgumentHelp(
            "Leaves out identifiers that a shell does not take as they are.", visibility: .hidden))
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
        let rows = try await center.notifications(of: app, delivered: delivered)
        if rows.isEmpty, let notice = await OtherStore.notice(at: center) {
            Output.warn("tocsin: nothing is here, but \(notice)")
        }
        try print(rows, waitsForLogin: center.waitsForLogin, in: environment)
    }

    private func print(
        _ rows: [ListedNotification], waitsForLogin: Bool, in environment: ToolEnvironment
    ) throws(ToolError) {
        let table = commands ? try CommandFile(environment).read() : nil
        let times = RelativeTime(environment)
        if ids {
            try Output.identifiers(rows.map(\.request.identifier), isPlain: plain)
        } else if json {
            let format = NotificationJSON(zone: times.zone, waitsForLogin: waitsForLogin)
            try Output.lines(rows.map { $0.object(format, commands: table).text })
        } else if rows.isEmpty {
            Output.warn(delivered ? "Nothing is delivered." : "Nothing is pending.")
        } else if var agenda = agenda(of: rows, in: environment) {
            agenda.waitsForLogin = waitsForLogin
            try Output.write(agenda.text)
        } else {
            try Output.write(
                ListedNotification.table(
                    rows, times: times, showsApp: scope.allApps, isNumbered: !scope.allApps,
                    waitsForLogin: waitsForLogin, commands: table))
        }
    }

    /// The agenda that the user reads; nil if the command prints a table.
    private func agenda(of rows: [ListedNotification], in environment: ToolEnvironment) -> Agenda? {
        let terminal = Terminal(environment)
        guard agenda || (terminal.isTerminal && !delivered && !commands) else { return nil }
        let pending = rows.compactMap { row in
            if case .pending(let pending) = row { return pending } else { return nil }
        }
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

/// One line of `tocsin list`.
extension ListedNotification {
    /// The object for programs, with the commands of clicks if a table is given.
    func object(_ format: NotificationJSON, commands: CommandTable? = nil) -> RecordValue {
        let own = commands.map { [RecordEntry("commands", $0[key]?.object ?? .null)] } ?? []
        return .record(format.members(self) + own)
    }

    /// The distance to its date, and the date.
    private func dates(_ times: RelativeTime) -> [String] {
        let date: Instant?
        switch self {
        case .pending(let pending):
            if case .region(let region, _) = request.trigger {
                return ["unmonitored", "region \(region.identifier)"]
            }
            date = pending.nextFire
        case .delivered(let delivered): date = delivered.date
        case .ended: date = nil
        }
        return date.map { [times.distance($0), times.absolute($0)] } ?? ["-", "-"]
    }

    /// The rule by which it repeats; nil if it has none.
    private var rule: String? {
        if case .rule(let rule) = request.trigger, case .pending = self { return rule.text }
        return nil
    }

    /// The rows below a heading, in aligned columns, with the numbers by which commands select
    /// them.
    ///
    /// Rules have a column if there are any, commands if a table is given. A request that waits for
    /// a login says so.
    static func table(
        _ rows: [ListedNotification], times: RelativeTime, showsApp: Bool,
        isNumbered: Bool = false, waitsForLogin: Bool = false, commands: CommandTable? = nil
    ) -> String {
        let showsRule = rows.contains { $0.rule != nil }
        func cells(
            _ number: String, _ id: String, _ app: String, _ dates: [String], _ state: String,
            _ rule: String, _ title: String, _ runs: String
        ) -> [String] {
            (isNumbered ? [number] : []) + [id] + (showsApp ? [app] : []) + dates
                + (waitsForLogin ? [state] : []) + (showsRule ? [rule] : []) + [title]
                + (commands == nil ? [] : [runs])
        }
        let heading = cells("#", "ID", "APP", ["WHEN", "TIME"], "STATE", "RULE", "TITLE", "RUNS")
        let rows = rows.enumerated().map { index, row in
            cells(
                String(index + 1), row.key.identifier, row.key.app.rawValue, row.dates(times),
                "waits for login", row.rule ?? "-", row.request.content.title,
                commands?[row.key]?.text ?? "-")
        }
        return TextTable(heading: heading, rows: rows).text
    }
}
