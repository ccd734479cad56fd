internal import ArgumentParser
internal import Glibc
internal import NotificationModel

/// `tocsin import`: schedules whole notifications, or the alarms of a calendar.
///
/// It prints a request's identifier when the request is on disk, and names each unusable line. It
/// imports commands, and requests of other apps, only with an option.
struct ImportCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Schedule the notifications of a file: JSON lines or iCalendar.",
        usage: """
            tocsin import FILE|- [--app ID | --all-apps] [--with-commands] [--past-ok] [--json]
            tocsin import FILE|- [--ics] [--only-alarms] [--app ID] [--past-ok] [--json]
            tocsin import --follow FOLDER [--only-alarms] [--app ID] [--json]
            """,
        discussion: """
            tocsin import backup.jsonl
            tocsin import ~/calendar.ics
            tocsin import --follow ~/.calendars/home

            JSON lines: the objects that 'export' writes. An identifier is printed when its \
            request is on disk. An existing request with the same identifier is replaced, and its \
            commands are dropped. A line may name files by their paths, such as attachments. \
            '--all-apps' also imports lines of other apps, for the apps that they name; '--app' \
            imports all lines for one app. The commands of clicks ("commands", as 'export \
            --with-commands' writes them) are only imported with '--with-commands'; clicks then \
            run them as your programs. A request that was to fire once after a length of time \
            fires at the date of "nextFire" (its trigger becomes {"kind":"at"}); any other \
            interval counts from now. A skipped or snoozed request begins at "nextFire". An \
            unusable line, such as one with an unknown key, is named, and the other lines are \
            imported.

            iCalendar is read with '--ics', if the file's name ends in .ics, or if the file \
            begins with BEGIN:VCALENDAR. A request is made for each alarm of an event or a task, \
            and for the start of an event or a task without an alarm (9:00 if it has only a day). \
            Recurrences become rules (daily, weekly, monthly, yearly); a recurrence with \
            exceptions becomes its next 64 dates. Single dates (RDATE) become separate requests, \
            at most 64 of an event. Times of a zone that the system does not know are taken in \
            your zone, and a warning names that zone; the names of Windows, which Outlook writes, \
            are known. Past dates are left out. A warning names everything else that is left out.

            A calendar makes reminders and nothing else: it names no app, no file and no command. \
            An event replaces only a notification from the same source: an imported calendar, or \
            the same followed folder. If any other notification has the event's identifier, a \
            warning names the event, and the event is left out. This check needs a session.

            '--follow' follows the .ics files of a folder until this program is ended: it \
            schedules new and changed events, and removes events that no file has any more. It \
            does not follow links in the folder, and leaves out pipes and devices.

            Exit status: 0 all imported, 65 some not or only in part, 75 no bus or daemon.
            """)

    @Argument(help: "The file; '-' is standard input.", completion: .file())
    var file: String?

    @Option(
        "Follows the .ics files of a folder.",
        value: "folder", name: .customLong("follow"), completion: .directory)
    var folder: String?

    @Flag(help: "Reads iCalendar.")
    var ics = false

    @Flag(help: "Leaves out events without an alarm.")
    var onlyAlarms = false

    @Option(
        "Imports everything for this app.", value: "id", name: .customLong("app"), parsing: .next)
    var appID: String?

    @Flag(help: "Imports lines of every app, each for the app that it names.")
    var allApps = false

    @Flag(help: "Imports the commands of clicks, too; only for a file that you wrote.")
    var withCommands = false

    @OptionGroup var past: PastOption

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        guard (file == nil) != (folder == nil) else {
            throw ValidationError(
                file == nil
                    ? "The file is missing; give one, or '-' for standard input"
                    : "'--follow' takes the place of a file; give one of them")
        }
        guard folder == nil || !past.isOK else {
            throw ValidationError("'--past-ok' is not for '--follow'; leave it out")
        }
        try ValidationError.check(appID != nil, "--app", excludes: allApps, "--all-apps")
        guard !(allApps || withCommands) || !(ics || folder != nil) else {
            throw ValidationError(
                "A calendar names no apps and no commands; leave '--all-apps' and '--with-commands' out"
            )
        }
    }

    func perform(in environment: ToolEnvironment) async throws -> ToolStatus {
        if let folder { return try await follow(folder, in: environment) }
        let file = file ?? "-"
        let rules = ImportRules(
            app: try appID.map(AppSelection.id),
            allowsAllApps: allApps, takesCommands: withCommands, isPastOK: past.isOK)
        let descriptor =
            file == "-"
            ? STDIN_FILENO : open(environment.absolute(file), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ToolError.data(
                "The file \(file.quotedForMessage()) cannot be read: "
                    + "\(String(cString: strerror(errno))). Check the path, or use '-' for "
                    + "standard input.")
        }
        let center = try await CenterClient.openOrInbox(environment)
        var run = ImportRun(to: center, by: rules, in: environment)
        var reader = LineReader(descriptor)
        let isNamedCalendar = ics || file.lowercased().hasSuffix(".ics")
        let start: [UInt8]? = isNamedCalendar ? [] : try await takeLines(&reader, &run)
        if let start { try await takeCalendar(&reader, after: start, &run, in: environment) }
        try report(try await run.flush())
        let failures = run.failureCount
        if !json {
            // Many warnings about a calendar concern events that are imported anyway.
            let failed = start == nil ? "\(failures) could not be used" : "warnings: \(failures)"
            Output.warn("\(run.count) imported\(failures == 0 ? "" : ", " + failed).")
        }
        if run.commandCount > 0 {
            Output.warn(
                "Notifications whose commands were left out: \(run.commandCount). Add "
                    + "'--with-commands' if you wrote the file.")
        }
        return failures == 0 ? .done : .data
    }

    private func follow(
        _ folder: String, in environment: ToolEnvironment
    ) async throws -> ToolStatus {
        let following = CalendarFollower(
            folder: environment.canonical(folder),
            center: try await CenterClient.open(environment),
            app: try appID.map(AppSelection.id) ?? .tocsin,
            onlyAlarms: onlyAlarms, environment: environment
        ) { identifier, isAdded throws(ToolError) in
            let text = RecordValue.identifier(identifier, [.init("removed", !isAdded)]).text
            let sign = isAdded ? "+ " : "- "
            try Output.line(json ? text : sign + TerminalEscaping.line(identifier))
        }
        try await following.run()
        return .done
    }

    /// Imports JSON lines; if the input is a calendar, returns its first line instead.
    private func takeLines(
        _ reader: inout LineReader, _ run: inout ImportRun
    ) async throws -> [UInt8]? {
        var isFirst = true
        while true {
            // Finish the calls before waiting for input: the writer of the input may send its next
            // line only when it knows the outcome of its last line.
            if run.isWaiting, !(try reader.isNextAtHand()) {
                try report(try await run.flush())
            }
            guard let line = try reader.next() else { return nil }
            guard !line.allSatisfy({ $0 <= UInt8(ascii: " ") }) else { continue }
            if isFirst, ICalendarImport.isStart(line) { return line }
            isFirst = false
            let place = "line \(reader.number): "
            let item: ImportItem?
            do throws(ToolError) {
                item = try ImportItem(line: line)
            } catch {
                try report(try await run.add(error, place: place))
                continue
            }
            guard let item else { continue }
            try report(try await run.add(item, size: line.count, place: place))
        }
    }

    private func takeCalendar(
        _ reader: inout LineReader, after first: [UInt8], _ run: inout ImportRun,
        in environment: ToolEnvironment
    ) async throws {
        let source = file == "-" ? "Standard input" : (file ?? "").quotedForMessage()
        guard !run.waitsForLogin else {
            throw ToolError.unreachable(
                "\(source) is a calendar. Its import compares the events with the present "
                    + "notifications, but there is no session bus. Import it in a session.")
        }
        let lineFeed = [UInt8(ascii: "\n")]
        var bytes = first + lineFeed
        while let line = try reader.next() {
            bytes += line + lineFeed
            guard Limits.calendar.contains(bytes.count) else {
                throw ToolError.data(Limits.calendar.excess(of: source))
            }
        }
        let text = ICalendarLine.text(of: bytes)
        guard ICalendarImport.isCalendar(text) else {
            throw ToolError.data(
                "\(source) is not a calendar: it has no BEGIN:VCALENDAR. JSON lines are read from a "
                    + "file whose name does not end in .ics, without '--ics'.")
        }
        let calendar = ICalendarImport(environment: environment, withoutAlarms: !onlyAlarms)
        let (items, errors) = calendar.items(of: text)
        for error in errors { try report(try await run.add(error, place: "")) }
        for item in items { try report(try await run.add(item, size: 0, place: "")) }
    }

    /// Prints the imported identifiers, and warns about the other lines.
    private func report(_ outcomes: [Result<String, ToolError>]) throws(ToolError) {
        var text = ""
        for outcome in outcomes {
            switch outcome {
            case .success(let identifier):
                let object = RecordValue.identifier(identifier)
                text += (json ? object.text : TerminalEscaping.line(identifier)) + "\n"
            case .failure(let error):
                try Output.write(text)
                text = ""
                Output.warn(error.text)
            }
        }
        try Output.write(text)
    }
}
