internal import ArgumentParser
internal import NotificationModel

/// What a notification says and shows, as `send` and `schedule` take it.
struct ContentOptions: ParsableArguments {
    @Argument(help: "The title.")
    var summary: String

    @Argument(help: "The text below it.")
    var body: String = ""

    @Option(help: ArgumentHelp("A second line below the title.", valueName: "text"))
    var subtitle: String = ""

    @Option(
        name: [.customShort("A"), .customLong("action")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Adds a button; may be repeated.", valueName: "[id=]text"))
    var actions: [String] = []

    @Option(
        name: .customLong("attach"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Adds a picture, sound or movie, which is copied; may be repeated.",
            valueName: "file"))
    var attachments: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Sets the urgency of the freedesktop interface.", valueName: "urgency"))
    var urgency: Urgency?

    @Option(help: ArgumentHelp("Sets how much it may interrupt.", valueName: "level"))
    var level = LevelOption.active

    @Option(
        name: [.customShort("t"), .customLong("expire-time")], parsing: .unconditional,
        help: ArgumentHelp(
            "Milliseconds until the popup leaves: 0 never, -1 as the server likes.",
            valueName: "ms"))
    var expireTime: Int32?

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("A theme icon's name, or a picture's path.", valueName: "icon"))
    var icon: String?

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("A freedesktop category, such as email.arrived.", valueName: "type"))
    var category: String?

    @Flag(name: [.customShort("e"), .long], help: "Asks the server to keep no history of it.")
    var transient = false

    @Option(help: ArgumentHelp("Groups notifications.", valueName: "name"))
    var thread: String = ""

    @Option(
        name: .customLong("id"), parsing: .unconditional,
        help: ArgumentHelp(
            "The identifier; a pending one of the same name is replaced.", valueName: "id"))
    var identifier: String?

    @Flag(name: .shortAndLong, help: "Prints the identifier.")
    var printID = false

    @Flag(help: "Prints one JSON object.")
    var json = false

    @OptionGroup var commands: CommandOptions

    @OptionGroup var app: SenderOptions

    /// With all words as the title, as the short forms of `schedule` take them.
    func titled(with words: [String]) -> ContentOptions {
        var content = self
        let all = [summary, body] + words
        content.summary = all.filter { !$0.isEmpty }.joined(separator: " ")
        content.body = ""
        return content
    }

    func validate() throws {
        guard identifier?.isEmpty != true else {
            throw ValidationError("The value of '--id' is empty; leave it out to get one made")
        }
        guard commands.isEmpty || app.appID == nil || app.appID == ApplicationID.tocsin.rawValue
        else {
            throw ValidationError(
                "'--on-click' and '--on' exclude '--app': the answers to another app's "
                    + "notifications go to that app; leave it out")
        }
    }
}
