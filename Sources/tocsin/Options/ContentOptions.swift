internal import ArgumentParser
internal import NotificationModel

/// What a notification says and shows, as `send` and `schedule` take it.
struct ContentOptions: ParsableArguments {
    @Argument(help: "The title; '-' reads it from standard input, and the text below it, too.")
    var summary: String

    @Argument(help: "The text below it; '-' reads it from standard input.")
    var body: String = ""

    @Option(help: ArgumentHelp("A second line below the title.", valueName: "text"))
    var subtitle: String = ""

    @Option(
        name: [.customShort("A"), .customLong("action")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Adds a button; may be repeated.", valueName: "[id=]text"))
    var actions: [String] = []

    @Option(
        defaultAsFlag: "",
        // The other strategy forgets the value of `--reply=TEXT` where another option follows.
        parsing: .next,
        help: ArgumentHelp(
            "Adds a button that takes a line of text; the value is shown in the empty field.",
            valueName: "placeholder"))
    var reply: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Adds a button that has it come again after this length of time.", valueName: "span"))
    var snooze: String?

    @Option(
        name: .customLong("attach"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Adds a picture, sound or movie, which is copied; may be repeated.",
            valueName: "file"), completion: .file())
    var attachments: [String] = []

    @OptionGroup var look: LookOptions

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("A freedesktop category, such as email.arrived.", valueName: "type"))
    var category: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A sound: 'default', a name of the sound theme, or a file's path.", valueName: "sound"))
    var sound: String?

    @Option(
        name: .customLong("hint"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Adds a hint; types are int, byte, double, string, boolean. May be repeated.",
            valueName: "type:name:value"))
    var hints: [String] = []

    @Flag(name: [.customShort("e"), .long], help: "Asks the server to keep no history of it.")
    var transient = false

    @Option(help: ArgumentHelp("Groups notifications.", valueName: "name"))
    var thread: String = ""

    @Option(
        name: .customLong("id"), parsing: .unconditional,
        help: ArgumentHelp(
            "The identifier; a pending one of the same name is replaced.", valueName: "id"))
    var identifier: String?

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("The same as '--id'.", valueName: "id"))
    var replaceID: String?

    @Flag(name: .shortAndLong, help: "Prints the identifier.")
    var printID = false

    @Flag(help: "Prints one JSON object.")
    var json = false

    @OptionGroup var commands: CommandOptions

    @OptionGroup var app: SenderOptions

    /// The identifier that is given, if one is.
    var givenIdentifier: String? { identifier ?? replaceID }

    /// The buttons.
    func buttons() throws(ToolError) -> [NotificationAction] {
        let given = try ActionText.parse(actions)
        let snooze = try snooze.map { text throws(ToolError) in try ActionText.snooze(text) }
        let added = [reply.map(ActionText.reply), snooze].compactMap(\.self)
        for button in added where given.contains(where: { $0.identifier == button.identifier }) {
            throw ToolError(
                .usage,
                "'--\(button.identifier)' and an action both have the id '\(button.identifier)'. "
                    + "Give the action another.")
        }
        return given + added
    }

    /// With all words as the title, as the short forms of `schedule` take them; a last word `-` is the
    /// text that standard input has.
    func titled(with words: [String]) -> ContentOptions {
        var content = self
        var all = ([summary, body] + words).filter { !$0.isEmpty }
        content.body = all.count > 1 && all.last == "-" ? all.removeLast() : ""
        content.summary = all.joined(separator: " ")
        return content
    }

    func validate() throws {
        guard identifier == nil || replaceID == nil else {
            throw ValidationError("'--id' and '--replace-id' exclude each other; give one")
        }
        guard identifier?.isEmpty != true, replaceID?.isEmpty != true else {
            throw ValidationError("The value of '--id' is empty; leave it out to get one made")
        }
        guard commands.isEmpty || app.appID == nil || app.appID == ApplicationID.tocsin.rawValue
        else {
            throw ValidationError(
                "'--on-click', '--open' and '--on' exclude '--app': the answers to another app's "
                    + "notifications go to that app; leave it out")
        }
    }
}
