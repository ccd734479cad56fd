internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin export`: writes whole pending notifications, which `tocsin import` reads.
struct ExportCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write pending notifications for 'tocsin import'.",
        usage: "tocsin export [FILE|-] [--ics] [--app ID | --all-apps] [--with-commands]",
        discussion: """
            tocsin export backup.jsonl
            tocsin export calendar.ics

            JSON lines: the objects of 'list --json', with all other keys that a request has on \
            D-Bus; "attachments" has the paths of the files. Only '--with-commands' writes the \
            commands of clicks, as "commands". 'import' makes the same requests from these lines.

            With '--ics', or if the file's name ends in .ics, the output is iCalendar, for \
            calendar programs: each request is an event with an alarm; a repeating request has its \
            next 64 dates, and a request without a date is a task. A calendar has no rules, \
            buttons, pictures, commands or apps; one line on standard error says how many of them \
            were left out.
            """)

    @Argument(help: "The file; '-' or no argument is standard output.", completion: .file())
    var file = "-"

    @Flag(help: "Writes iCalendar.")
    var ics = false

    @Flag(help: "Writes the commands of clicks, too.")
    var withCommands = false

    @OptionGroup var scope: AppScope

    private var isCalendar: Bool { ics || file.lowercased().hasSuffix(".ics") }

    func validate() throws {
        guard !withCommands || !isCalendar else {
            throw ValidationError("A calendar has no commands; leave '--with-commands' out")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        let app = try scope.resolved()
        let center = try await CenterClient.openOrInbox(environment, reading: true)
        let pending = try await center.requests.pending(of: app)
        let table = try commands(of: pending, in: environment)
        let calendar = ICalendarWriter(environment: environment)
        let text =
            isCalendar
            ? calendar.text(of: pending)
            : lines(
                pending, table,
                NotificationJSON(zone: environment.zone, waitsForLogin: center.waitsForLogin))
        if file == "-" {
            try Output.write(text)
        } else {
            try UserFile.write(text, to: environment.absolute(file))
            Output.warn("\(pending.count) written.")
        }
        if isCalendar {
            if let loss = calendar.loss(of: pending, commandCount: table.count) {
                Output.warn(loss)
            }
        } else if !withCommands, !table.isEmpty {
            Output.warn(
                "Notifications whose commands were not written: \(table.count). Add "
                    + "'--with-commands' to write them, too.")
        }
    }

    private func commands(
        of pending: [PendingNotification], in environment: ToolEnvironment
    ) throws(ToolError) -> [NotificationKey: ClickCommands] {
        guard environment.stateDirectory() != nil else { return [:] }
        let keys = Set(pending.map(\.key))
        let table = try CommandFile(environment).read()
        return Dictionary(
            table.entries.filter { keys.contains($0.key) }.map { ($0.key, $0) }
        ) { $1 }
    }

    private func lines(
        _ pending: [PendingNotification], _ commands: [NotificationKey: ClickCommands],
        _ format: NotificationJSON
    ) -> String {
        var lines = ""
        for notification in pending {
            var members = format.members(.pending(notification), isWhole: true)
            if withCommands, let commands = commands[notification.key] {
                members.append(.init("commands", commands.object))
            }
            lines += RecordValue.record(members).text + "\n"
        }
        return lines
    }
}
