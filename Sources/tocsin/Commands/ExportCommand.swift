internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin export`: whole notifications, for `import`.
struct ExportCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write what waits, for 'tocsin import'.",
        usage: "tocsin export [FILE|-] [--ics] [--app ID | --all-apps]",
        discussion: """
            tocsin export backup.jsonl
            tocsin export calendar.ics

            JSON lines: the objects of 'list --json', and everything else of the request by the names \
            of the D-Bus interface; "attachments" by the paths of their files, "buttons" with the \
            category of its buttons. The commands of clicks stay in the tool's own \
            file, until what they belong to is cancelled; of how many that is, is said.

            iCalendar, where the file's name ends in .ics or with '--ics': each request is an event \
            with an alarm; what repeats has its next 64 dates, and what has no date is a task. Each \
            also has its JSON line, as X-TOCSIN-REQUEST, from which 'import' makes the request anew.
            """)

    @Argument(help: "The file; '-', and nothing, is standard output.", completion: .file())
    var file = "-"

    @Flag(help: "Writes iCalendar.")
    var ics = false

    @OptionGroup var scope: AppScope

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let app = try scope.resolved()
        let center = try await Center.openOrInbox(environment, reading: true)
        let pending: [PendingNotification]
        do throws(NotificationError) {
            pending = try await center.service.pending(of: app)
        } catch {
            throw ToolError(error)
        }
        let lines = try await lines(pending, at: center, in: environment)
        let text =
            ics || file.lowercased().hasSuffix(".ics")
            ? ICalendarText(environment: environment).text(of: lines)
            : lines.map { $0.line + "\n" }.joined()
        if file == "-" {
            try Output.write(text)
        } else {
            try UserFile.write(text, to: environment.absolute(file))
            Output.warn("\(pending.count) written.")
        }
        let table = try? CommandFile(environment).read()
        let count = pending.count {
            table?[NotificationKey(app: $0.app, identifier: $0.request.identifier)] != nil
        }
        if count > 0 {
            Output.warn(
                "\(count) of them: the commands of clicks are not in it; they stay in the tool's own "
                    + "file until it is cancelled.")
        }
        return .done
    }

    private func lines(
        _ pending: [PendingNotification], at center: Center, in environment: ToolEnvironment
    ) async throws(ToolError) -> [(PendingNotification, line: String)] {
        var categories: [ApplicationID: [NotificationCategory]] = [:]
        let format = ExportFormat(zone: environment.zone)
        var lines: [(PendingNotification, line: String)] = []
        for notification in pending {
            if categories[notification.app] == nil {
                do throws(NotificationError) {
                    categories[notification.app] = try await center.service.categories(
                        of: notification.app)
                } catch {
                    throw ToolError(error)
                }
            }
            let category = categories[notification.app]?.first {
                $0.identifier == notification.request.content.categoryIdentifier
            }
            let members = try format.object(.pending(notification), category)
            lines.append((notification, JSONValue.object(members).text))
        }
        return lines
    }
}
