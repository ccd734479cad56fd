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
            category of its buttons. The commands of clicks stay in the tool's own file.

            iCalendar, where the file's name ends in .ics or with '--ics': each request is an event \
            with an alarm; what repeats has its next 64 dates.
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
        let text: String
        if ics || file.lowercased().hasSuffix(".ics") {
            text = ICalendarText(environment: environment).text(of: pending)
        } else {
            text = try await lines(pending, at: center, in: environment)
        }
        if file == "-" {
            try Output.write(text)
        } else {
            try UserFile.write(text, to: environment.absolute(file))
            Output.warn("\(pending.count) written.")
        }
        return .done
    }

    private func lines(
        _ pending: [PendingNotification], at center: Center, in environment: ToolEnvironment
    ) async throws(ToolError) -> String {
        var categories: [ApplicationID: [NotificationCategory]] = [:]
        let format = ExportFormat(zone: environment.zone)
        var text = ""
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
            text += JSONValue.object(try format.object(.pending(notification), category)).text
            text += "\n"
        }
        return text
    }
}
