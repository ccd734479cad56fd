internal import ArgumentParser
internal import NotificationModel

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

    /// What of it is not in Apple's interface.
    var desktop: DesktopOptions {
        var options = DesktopOptions()
        options.urgency = urgency?.level
        options.expireTimeout = expireTime
        options.icon = icon.map(ArgumentText.cleaned)
        return options
    }
}
