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
            """)

    @Argument(help: ArgumentHelp("The id of the app's desktop file.", valueName: "app"))
    var appID: String?

    @Flag(exclusivity: .exclusive) var decision: DecisionOption?

    @Flag(help: "Opens the page of the desktop's settings, that of the app if there is one.")
    var open = false

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        guard decision == nil && !open || appID != nil else {
            throw ValidationError("The app is missing; give its id, as 'tocsin settings' lists it")
        }
        guard decision == nil || !open else {
            throw ValidationError("'--open' shows the settings; give it without a decision")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let app = try appID.map { text throws(ToolError) in try AppSelection.id(text) }
        let center = try await Center.open(environment)
        if open, let app { return try await openPage(of: app, at: center) }
        return try print(try await permissions(after: app, at: center), app)
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

    /// The permissions, when the decision about the app is made.
    private func permissions(
        after app: ApplicationID?, at center: Center
    ) async throws(ToolError) -> [ApplicationPermission] {
        do throws(NotificationError) {
            if let app, let decision {
                try await center.service.decide(decision.decision, for: app)
            }
            return try await center.service.permissions()
        } catch {
            throw ToolError(error)
        }
    }

    private func print(
        _ all: [ApplicationPermission], _ app: ApplicationID?
    ) throws(ToolError) -> ToolStatus {
        let rows = all.filter { app == nil || $0.app == app }.map { PermissionRow($0) }
        // An app without a row needs none.
        let shown = app.map { rows.isEmpty ? [PermissionRow($0)] : rows } ?? rows
        if json {
            try Output.write(shown.map { $0.object.text + "\n" }.joined())
        } else if shown.isEmpty {
            Output.warn("No app has asked for permission.")
        } else {
            try Output.write(PermissionRow.table(shown))
        }
        return .done
    }
}
