internal import ArgumentParser
internal import NotificationModel

/// How a notification looks and is called whose text the tool makes, as `run` takes it.
struct PopupOptions: ParsableArguments {
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
        parsing: .unconditional,
        help: ArgumentHelp(
            "A sound: 'default', a name of the sound theme, or a file's path.", valueName: "sound"))
    var sound: String?

    @Option(
        name: .customLong("id"), parsing: .unconditional,
        help: ArgumentHelp(
            "The identifier; a pending one of the same name is replaced.", valueName: "id"))
    var identifier: String?

    func validate() throws {
        guard identifier?.isEmpty != true else {
            throw ValidationError("The value of '--id' is empty; leave it out to get one made")
        }
    }

    /// The content with these; a click on it does something only where that is said later.
    func applied(
        to content: NotificationContent, in environment: ToolEnvironment
    ) -> NotificationContent {
        var content = content
        content.interruptionLevel = level.level
        content.sound = sound.map { SoundText.sound($0, in: environment) }
        var desktop = DesktopOptions()
        desktop.urgency = urgency?.level
        desktop.expireTimeout = expireTime
        desktop.icon = icon.map(ArgumentText.cleaned)
        desktop.offersClick = false
        content.desktop = desktop
        return content
    }
}
