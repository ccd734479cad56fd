internal import ArgumentParser
internal import NotificationModel

/// How a notification looks and is called whose text the tool makes, as `run` takes it.
struct PopupOptions: ParsableArguments {
    @OptionGroup var look: LookOptions

    @OptionGroup var sound: SoundOption

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
        content.sound = sound.resolved(in: environment)
        var desktop = look.desktop
        desktop.offersClick = false
        content.desktop = desktop
        return content
    }
}

/// How a popup looks and how long it stays, as every command takes it that makes one.
struct LookOptions: ParsableArguments {
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

    /// The part that Apple's interface does not have.
    var desktop: DesktopOptions {
        var options = DesktopOptions()
        options.urgency = urgency?.level
        options.expireTimeout = expireTime
        options.icon = icon.map(ArgumentSanitizer.cleaned)
        return options
    }
}

/// An interruption level by its name.
enum LevelOption: String, ExpressibleByArgument, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical

    /// The model's level.
    var level: InterruptionLevel {
        switch self {
        case .passive: .passive
        case .active: .active
        case .timeSensitive: .timeSensitive
        case .critical: .critical
        }
    }
}

/// The urgencies of the Desktop Notifications Specification.
enum Urgency: String, ExpressibleByArgument, CaseIterable {
    case low
    case normal
    case critical

    /// The value of the hint `urgency`.
    var level: UInt8 {
        switch self {
        case .low: 0
        case .normal: 1
        case .critical: 2
        }
    }
}

/// The sound of a notification.
struct SoundOption: ParsableArguments {
    @Option(
        name: .customLong("sound"), parsing: .unconditional,
        help: ArgumentHelp(
            "A sound: 'default', a name of the sound theme, or a file's path.", valueName: "sound"))
    var name: String?

    /// The sound: the desktop's own, a file, or a name of the sound theme; nil without the option.
    func resolved(in environment: ToolEnvironment) -> NotificationSound? {
        name.map { name in
            let isFile = name.contains("/")
            return NotificationSound(
                name == "default" ? .standard : .named(isFile ? environment.absolute(name) : name))
        }
    }
}
