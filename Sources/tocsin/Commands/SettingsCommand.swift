internal import ArgumentParser
internal import NotificationModel

/// `tocsin settings`: which apps may notify, and decisions about them.
struct SettingsCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show which apps may notify; allow or silence one.",
        discussion: """
            Without an app those are listed that asked for permission, and those that were decided \
            about. Other apps may notify without asking.
            """)

    @Argument(help: ArgumentHelp("The id of the app's desktop file.", valueName: "app"))
    var appID: String?

    @Flag(exclusivity: .exclusive) var decision: DecisionOption?

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        guard decision == nil || appID != nil else {
            throw ValidationError("The app is missing; give its id, as 'tocsin settings' lists it")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let app = try appID.map { text throws(ToolError) in try AppSelection.id(text) }
        let center = try await Center.open(environment)
        return try print(try await permissions(after: app, at: center), app)
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
