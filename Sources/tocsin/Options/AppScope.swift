internal import ArgumentParser
internal import NotificationModel

/// Whose notifications a list has: those of one app, or of all.
struct AppScope: ParsableArguments {
    @OptionGroup var selection: AppSelection

    @Flag(help: "Those of every app.")
    var allApps = false

    func validate() throws {
        guard !allApps || selection.appID == nil else {
            throw ValidationError("'--app' and '--all-apps' exclude each other; give one")
        }
    }

    /// The app; nil for all.
    func resolved() throws(ToolError) -> ApplicationID? {
        allApps ? nil : try selection.resolved()
    }
}
