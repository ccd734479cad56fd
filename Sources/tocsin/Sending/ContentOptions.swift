internal import ArgumentParser
internal import NotificationModel

/// The arguments of `send` and `schedule`.
struct TextArguments: ParsableArguments {
    @Argument(help: "The title; '-' reads the title and the text from standard input.")
    var summary: String

    @Argument(help: "The text below it; '-' reads it from standard input.")
    var body: String = ""

    /// Joins all words to one title, for the short forms of `schedule`.
    ///
    /// If the last word is `-`, the text below the title comes from standard input.
    static func titled(with words: [String]) -> TextArguments {
        var texts = TextArguments()
        var all = words.filter { !$0.isEmpty }
        texts.body = all.count > 1 && all.last == "-" ? all.removeLast() : ""
        texts.summary = all.joined(separator: " ")
        return texts
    }
}

/// The options of `send` and `schedule` for appearance, attachments and sender.
///
/// The options and the texts make a request that is complete except for its trigger.
struct ContentOptions: ParsableArguments {
    // As with the other texts, the value may begin with '-', such as '-5 °C'.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A second line below the title.", valueName: "text"))
    var subtitle: String = ""

    @Option(
        "Adds a button; may be repeated.",
        value: "[id=]text", name: [.customShort("A"), .customLong("action")])
    var actions: [String] = []

    @Option(
        defaultAsFlag: "",
        // With the default strategy, the parser loses TEXT in `--reply=TEXT --other`.
        parsing: .next,
        help: ArgumentHelp(
            "Adds a button that takes a line of text; the value is shown in the empty field.",
            valueName: "placeholder"))
    var reply: String?

    @Option(
        "Adds a button that shows the notification again after this length of time.",
        value: "span")
    var snooze: String?

    @Option(
        "Adds a picture, sound or movie, which is copied; may be repeated.",
        value: "file", name: .customLong("attach"), completion: .file())
    var attachments: [String] = []

    @OptionGroup var look: LookOptions

    @Option("A freedesktop category, such as email.arrived.", value: "type", name: .shortAndLong)
    var category: String?

    @OptionGroup var sound: SoundOption

    @Option(
        "Adds a hint; types are int, byte, double, string, boolean. May be repeated.",
        value: "type:name:value", name: .customLong("hint"))
    var hints: [String] = []

    @Flag(
        name: [.customShort("e"), .long],
        help: "Asks the server to keep no history of the notification.")
    var transient = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Groups notifications.", valueName: "name"))
    var thread: String = ""

    @Option(
        "The identifier; a pending notification that has it is replaced.",
        value: "id", name: .customLong("id"))
    var identifier: String?

    @Option("The same as '--id'.", value: "id", name: .shortAndLong)
    var replaceID: String?

    @Flag(name: .shortAndLong, help: "Prints the identifier.")
    var printID = false

    @Flag(help: "Prints one JSON object.")
    var json = false

    @OptionGroup var commands: CommandOptions

    @OptionGroup var app: SenderOptions

    private var givenIdentifier: String? { identifier ?? replaceID }

    /// Whether the tool itself receives the responses.
    private var isOurs: Bool {
        app.appID == nil || app.appID == ApplicationID.tocsin.rawValue
    }

    /// Whether there is no text, no attachment and no sound.
    ///
    /// If the caller waits for the response, a sound does not count, because the user cannot answer
    /// a sound alone.
    func isEmpty(with texts: TextArguments, waits: Bool = false) -> Bool {
        [texts.summary, texts.body, subtitle].allSatisfy { $0.allSatisfy(\.isWhitespace) }
            && attachments.isEmpty && (sound.name == nil || waits)
    }

    /// The buttons of all options; the tool's own texts are in `language`.
    func buttons(
        in language: WordingLanguage = .english
    ) throws(ToolError) -> [NotificationAction] {
        let given = try ActionOption.parse(actions)
        var added: [NotificationAction] = []
        if let reply { added.append(ActionOption.reply(reply, in: language)) }
        if let snooze { added.append(try ActionOption.snooze(snooze, in: language)) }
        for button in added where given.contains(where: { $0.identifier == button.identifier }) {
            throw ToolError.usage(
                "'--\(button.identifier)' and an action both have the id '\(button.identifier)'. "
                    + "Give the action another id.")
        }
        return given + added
    }

    func validate() throws {
        try ValidationError.check(
            identifier != nil, "--id", excludes: replaceID != nil, "--replace-id")
        for (option, value) in [("--id", identifier), ("--replace-id", replaceID)]
        where value?.isEmpty == true {
            throw ValidationError(
                "The value of '\(option)' is empty; write an identifier, or leave '\(option)' out "
                    + "for a new one")
        }
        guard commands.isEmpty || isOurs else {
            throw ValidationError(
                "'--on-click', '--open' and '--on' exclude '--app': the named app gets the clicks "
                    + "on its notification, so tocsin could not react to them; leave '--app' out")
        }
    }
}

extension ContentOptions {
    /// Makes the request, without its trigger.
    ///
    /// `waits` says that the caller waits for the response. If the request also has buttons, it
    /// offers no click on the popup itself: dunst would perform that click instead of showing its
    /// menu of buttons.
    func outgoing(
        _ texts: TextArguments, waits: Bool = false, in environment: ToolEnvironment
    ) throws(ToolError) -> OutgoingRequest {
        let actions = try buttons(in: environment.language)
        var whole = texts
        (whole.summary, whole.body) = try StandardInput.texts(texts.summary, texts.body)
        // The callers have checked the given texts, but not the text for which '-' stands.
        guard texts.body != "-" || !isEmpty(with: whole, waits: waits) else {
            throw StandardInput.empty
        }
        var content = RequestTag.content(whole.summary, whole.body, at: environment.now)
        content.subtitle = ArgumentSanitizer.cleaned(subtitle)
        content.interruptionLevel = look.level.value
        content.threadIdentifier = ArgumentSanitizer.cleaned(thread)
        content.actions = actions
        content.reportsDismissal = waits || !actions.isEmpty
        var desktop = look.desktop(in: environment)
        desktop.category = category.map(ArgumentSanitizer.cleaned)
        desktop.isTransient = transient
        for text in hints {
            let (name, value) = try HintOption.parse(text)
            desktop.hints[name] = value
        }
        // The centre takes the urgency from `DesktopOptions.urgency`, never from a hint.
        if let hint = desktop.hints.removeValue(forKey: "urgency"), desktop.urgency == nil {
            desktop.urgency = try HintOption.urgency(hint)
        }
        // Another app's notification stays clickable, because that app may handle the click.
        let waitsForClick = waits && actions.isEmpty
        if isOurs, !waitsForClick, !commands.hasClick { desktop.offersClick = false }
        content.desktop = desktop
        content.sound = sound.resolved(in: environment)
        var files: [OpenFile] = []
        for (index, path) in attachments.enumerated() {
            let (attachment, file) = try attachment(path, index, in: environment)
            content.attachments.append(attachment)
            files.append(file)
        }
        let identifier =
            givenIdentifier.map(ArgumentSanitizer.cleaned) ?? RequestTag.newIdentifier()
        var outgoing = OutgoingRequest(
            request: NotificationRequest(identifier: identifier, content: content), files: files,
            app: try app.resolved(), isNew: givenIdentifier == nil, environment: environment)
        outgoing.commands = try commands.commands(
            of: outgoing.key, actions: actions, in: environment)
        return outgoing
    }

    private func attachment(
        _ path: String, _ index: Int, in environment: ToolEnvironment
    ) throws(ToolError) -> (NotificationAttachment, OpenFile) {
        let absolute = environment.absolute(FileURI.path(of: path) ?? path)
        return try translatingErrors {
            // The user names the file, so this follows a link, as other programs do. If the file
            // cannot be opened, the second call throws an error with the reason.
            let file = try OpenFile(following: absolute) ?? OpenFile(path: absolute)
            guard let type = AttachmentType.ofFile(absolute) else {
                throw NotificationError(
                    .attachmentUnrecognized,
                    "The type of the attachment \(path.quotedForMessage()) cannot be told "
                        + "from its name. Attach a file whose name ends in .png, .jpg, .gif, .wav, "
                        + ".mp3, .mp4 or another type of Apple's list.")
            }
            guard file.size <= type.maximumSize else {
                throw NotificationError(
                    .attachmentTooLarge,
                    "The attachment \(path.quotedForMessage()) has \(file.size) bytes; its type "
                        + "may have \(type.maximumSize). Attach a smaller one.")
            }
            let attachment = NotificationAttachment(
                identifier: String(index), path: absolute, type: type.identifier)
            return (attachment, file)
        }
    }
}

/// The parts that all requests of the tool have: an identifier, and the creation time.
enum RequestTag {
    /// The user-info key for the creation time, by which the tool finds the `last` notification.
    static let created = NotificationContent.creationKey

    // Crockford's base 32, without i, l, o and u: users misread them.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    /// Makes an identifier of eight characters.
    ///
    /// The first character is a letter, because commands read a number as a position in the list.
    static func newIdentifier() -> String {
        var text = String(alphabet[Int.random(in: 10..<alphabet.count)])
        for _ in 1..<8 { text.append(alphabet[Int.random(in: 0..<alphabet.count)]) }
        return text
    }

    /// The title, the text and the creation time; a click on the notification does nothing.
    static func content(
        _ summary: String, _ body: String, at now: Instant
    ) -> NotificationContent {
        var content = NotificationContent(
            title: ArgumentSanitizer.cleaned(summary), body: ArgumentSanitizer.cleaned(body))
        content.userInfo[created] = .date(now)
        var desktop = DesktopOptions()
        desktop.offersClick = false
        content.desktop = desktop
        return content
    }

    /// The time at which the tool made a request; nil if another program made it.
    static func creation(of request: NotificationRequest) -> Instant? {
        guard case .date(let instant, _) = request.content.userInfo[created] else { return nil }
        return instant
    }
}
