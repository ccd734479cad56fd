internal import ArgumentParser
internal import NotificationModel

/// Whose notifications a command means.
struct AppSelection: ParsableArguments {
    @Option(
        name: .customLong("app"),
        help: ArgumentHelp(
            "Those of this app; the tool's own where none is given.", valueName: "id"))
    var appID: String?

    /// The app.
    func resolved() throws(ToolError) -> ApplicationID {
        guard let appID else { return .tocsin }
        return try Self.id(appID)
    }

    /// The app of this id.
    static func id(_ text: String) throws(ToolError) -> ApplicationID {
        do throws(NotificationError) {
            return try ApplicationID(text)
        } catch {
            throw ToolError(.usage, error.message)
        }
    }
}
