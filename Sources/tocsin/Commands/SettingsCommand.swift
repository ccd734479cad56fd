internal import ArgumentParser
internal import NotificationModel

/// `tocsin settings`: which apps may notify, and decisions about them.
struct SettingsCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show which apps may notify; allow or silence one, or open its settings.",
        discussion: """
            Without an app those are listed that asked for permission, and those that were decided \
            about. Other apps may notify without asking.

            Where the desktop has a switch of its own for the app, it is turned, too, and it alone \
            counts: what is changed there is shown here.

            With '--previews' the app's texts are hidden while the session is locked, or always: the \
            popup shows the app's name and the placeholder of the category. What a lock hid is there \
            again when the session is unlocked.
            """)

    @Argument(help: ArgumentHelp("The id of the app's desktop file.", valueName: "app"))
    var appID: String?

    @Flag(exclusivity: .exclusive) var decision: DecisionOption?

    @Option(
        help: ArgumentHelp("When the app's texts are shown.", valueName: "when"))
    var previews: PreviewsOption?

    @Flag(help: "Opens the page of the desktop's settings, that of the app if there is one.")
    var open = false

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        guard decision == nil && previews == nil && !open || appID != nil else {
            throw ValidationError("The app is missing; give its id, as 'tocsin settings' lists it")
        }
        guard decision == nil && previews == nil || !open else {
            throw ValidationError("'--open' shows the settings; give it without a decision")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let app = try appID.map { text throws(ToolError) in try AppSelection.id(text) }
        let center = try await Center.open(environment)
        if open, let app { return try await openPage(of: app, at: center) }
        return try print(try await rows(after: app, at: center))
    }

    private func openPage(
        of app: ApplicationID, at center: Center
    ) async throws(ToolError) -> ToolStatus {
        do throws(NotificationError) {
            try await center.service.openNotificationSettings(of: app)
            return .done
        } catch {
            throw ToolError(error)
        }
    }

    /// What is to be printed, when the decision about the app is made.
    private func rows(
        after app: ApplicationID?, at center: Center
    ) async throws(ToolError) -> [PermissionRow] {
        let service = center.service
        do throws(NotificationError) {
            if let app, let decision { try await service.decide(decision.decision, for: app) }
            if let app, let previews {
                try await service.setPreviews(previews.previews, of: app)
            }
            let all = try await service.permissions()
            guard let app else { return all.map { PermissionRow($0) } }
            let rows = all.filter { $0.app == app }.map { PermissionRow($0) }
            guard rows.isEmpty else { return rows }
            // An app without a row needs no permission.
            return [PermissionRow(app, previews: try await service.settings(of: app).previews)]
        } catch {
            throw ToolError(error)
        }
    }

    private func print(_ rows: [PermissionRow]) throws(ToolError) -> ToolStatus {
        if json {
            try Output.write(rows.map { $0.object.text + "\n" }.joined())
        } else if rows.isEmpty {
            Output.warn("No app has asked for permission.")
        } else {
            try Output.write(PermissionRow.table(rows))
        }
        return .done
    }
}
