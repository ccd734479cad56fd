internal import ArgumentParser
internal import NotificationModel

/// How a notification looks and is called whose text the tool makes, as `run` takes it.
struct PopupOptions: ParsableArguments {
    @OptionGroup var look: LookOptions

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
        content.interruptionLevel = look.level.level
        content.sound = sound.map { SoundText.sound($0, in: environment) }
        var desktop = look.desktop
        desktop.offersClick = false
        content.desktop = desktop
        return content
    }
}
