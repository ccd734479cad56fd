internal import ArgumentParser
internal import NotificationModel

/// The app whose notifications a command selects.
struct AppSelection: ParsableArguments {
    @Option(
        "Selects the notifications of this app; by default those of the tool.",
        value: "id", name: .customLong("app"), parsing: .next)
    var appID: String?

    func resolved() throws(ToolError) -> ApplicationID {
        try appID.map(Self.id) ?? .tocsin
    }

    static func id(_ text: String) throws(ToolError) -> ApplicationID {
        do throws(NotificationError) {
            return try ApplicationID(text)
        } catch {
            throw ToolError.usage(error.message)
        }
    }
}

/// The scope of a list: the notifications of one app, or of every app.
struct AppScope: ParsableArguments {
    @OptionGroup var selection: AppSelection

    @Flag(help: "Selects the notifications of every app.")
    var allApps = false

    func validate() throws {
        try ValidationError.check(selection.appID != nil, "--app", excludes: allApps, "--all-apps")
    }

    /// The app; nil means all apps.
    func resolved() throws(ToolError) -> ApplicationID? {
        allApps ? nil : try selection.resolved()
    }
}

/// The app in whose name a notification is sent.
///
/// A custom name makes a separate app, `dev.<name>`. Two scripts with different names are then two
/// apps: each app keeps its displayed name, and `list --app` tells them apart.
struct SenderOptions: ParsableArguments {
    @Option(
        "Shows this name instead of the tool's; the request belongs to the app dev.<name>.",
        value: "name", name: .shortAndLong)
    var appName: String?

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("Sends for the app of this desktop file.", valueName: "id"))
    var appID: String?

    func validate() throws {
        try ValidationError.check(appName != nil, "--app-name", excludes: appID != nil, "--app")
    }

    /// The app, and its identity if the centre needs one.
    func resolved() throws(ToolError) -> (id: ApplicationID, identity: ApplicationIdentity?) {
        if let appID { return (try AppSelection.id(appID), nil) }
        guard let appName else { return (.tocsin, nil) }
        let name = ArgumentSanitizer.cleaned(appName)
        let id = try AppSelection.id("dev." + Self.slug(name))
        return (id, ApplicationIdentity(id: id, name: name))
    }

    /// Turns `Backup Script` into `backup-script`.
    ///
    /// The result is `app` for a name without letters and digits.
    static func slug(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.isEmpty ? "app" : words.joined(separator: "-")
    }
}

extension Option {
    /// An option that takes a value; the user may leave the option out.
    ///
    /// By default, the value may begin with '-'.
    init<T: ExpressibleByArgument>(
        _ help: String, value: String, name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .unconditional, completion: CompletionKind? = nil
    ) where Value == T? {
        self.init(
            name: name, parsing: parsing, help: ArgumentHelp(help, valueName: value),
            completion: completion)
    }
}

extension Option where Value == [String] {
    /// A repeatable option; each value is a text, which may begin with '-'.
    init(
        wrappedValue: [String], _ help: String, value: String, name: NameSpecification,
        completion: CompletionKind? = nil
    ) {
        self.init(
            wrappedValue: wrappedValue, name: name, parsing: .unconditionalSingleValue,
            help: ArgumentHelp(help, valueName: value), completion: completion)
    }
}

extension ValidationError {
    static func check(
        _ isFirst: Bool, _ first: String, excludes isSecond: Bool, _ second: String
    ) throws {
        guard isFirst, isSecond else { return }
        throw ValidationError("'\(first)' and '\(second)' exclude each other; give one")
    }
}
