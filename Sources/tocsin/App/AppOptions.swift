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

/// In whose name a notification is sent.
///
/// A name of one's own makes an app of one's own, `dev.<name>`, so that the names of two scripts
/// do not overwrite each other and `list --app` tells them apart.
struct SenderOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp(
            "Shows another name than the tool's; its requests belong to the app dev.<name>.",
            valueName: "name"))
    var appName: String?

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("Sends for the app of this desktop file.", valueName: "id"))
    var appID: String?

    func validate() throws {
        guard appName == nil || appID == nil else {
            throw ValidationError("'--app-name' and '--app' exclude each other; give one")
        }
    }

    /// The app, and its identity where the centre has to be told of it.
    func resolved() throws(ToolError) -> (id: ApplicationID, identity: ApplicationIdentity?) {
        if let appID { return (try AppSelection.id(appID), nil) }
        guard let appName else { return (.tocsin, nil) }
        let name = ArgumentSanitizer.cleaned(appName)
        let id = try AppSelection.id("dev." + Self.slug(name))
        return (id, ApplicationIdentity(id: id, name: name))
    }

    /// Letters and digits in lower case, joined by hyphens: `Backup Script` is `backup-script`.
    static func slug(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.isEmpty ? "app" : words.joined(separator: "-")
    }
}
