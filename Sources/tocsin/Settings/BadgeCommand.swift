internal import ArgumentParser
internal import NotificationModel

/// `tocsin badge`: sets the number on an app's icon.
struct BadgeCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge", abstract: "Put a number on the icon of an app, where a dock shows it."
    )

    @Argument(help: ArgumentHelp("The id of the app's desktop file.", valueName: "app"))
    var appID: String

    @Argument(help: "The number; 0 removes it.")
    var count: Int

    func run(in environment: ToolEnvironment) async throws {
        let app = try AppSelection.id(appID)
        let center = try await CenterClient.open(environment)
        try await center.service.setBadge(count, of: app)
    }
}
