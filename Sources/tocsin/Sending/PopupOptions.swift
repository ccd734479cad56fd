internal import ArgumentParser
internal import NotificationModel

/// The options for the appearance of a popup and its time on the screen.
struct LookOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Sets the popup's urgency for the notification server; without it, '--level' "
                + "decides.",
            valueName: "urgency"))
    var urgency: Urgency?

    @Option(
        help: ArgumentHelp("Sets how much the notification may interrupt.", valueName: "level"))
    var level = NamedOption(value: InterruptionLevel.active)

    @Option(
        "Milliseconds until the popup closes; 0: never, -1: the server chooses.",
        value: "ms", name: [.customShort("t"), .customLong("expire-time")])
    var expireTime: Int32?

    @Option("A theme icon's name, or a picture's path.", value: "icon", name: .shortAndLong)
    var icon: String?

    /// The options that Apple's interface does not have; warns if the icon's file cannot be read.
    func desktop(in environment: ToolEnvironment) -> DesktopOptions {
        var options = DesktopOptions()
        options.urgency = urgency?.hint
        options.expireTimeout = expireTime
        options.icon = icon.map {
            environment.fileOrName(ArgumentSanitizer.cleaned($0), endings: FileEndings.images)
        }
        if let icon = options.icon {
            Output.warnOfUnreadableFile(icon, of: "--icon", endings: FileEndings.images)
        }
        return options
    }
}

/// An option whose value is the name of a case, such as `active`.
struct NamedOption<Value: NamedCase>: ExpressibleByArgument {
    var value: Value

    static var allValueStrings: [String] { Value.allCases.map(\.name) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    var defaultValueDescription: String { value.name }
}

extension NamedOption {
    init?(argument: String) {
        guard let value = Value(name: argument) else { return nil }
        self.value = value
    }
}

/// The urgencies of the Desktop Notifications Specification.
enum Urgency: String, ExpressibleByArgument, CaseIterable {
    case low
    case normal
    case critical

    /// The value of the hint `urgency`: the position, counted from 0.
    var hint: UInt8? { Self.allCases.firstIndex(of: self).map(UInt8.init) }
}

struct SoundOption: ParsableArguments {
    @Option(
        "A sound: 'default', a name of the sound theme, or a file's path.",
        value: "sound", name: .customLong("sound"))
    var name: String?

    /// The sound: the desktop's own, a file, or a name of the sound theme; nil without the option.
    ///
    /// It warns about an unreadable path, but not about a name without a slash, because that name
    /// may be a file of the app.
    func resolved(in environment: ToolEnvironment) -> NotificationSound? {
        name.map { name in
            if name == "default" { return NotificationSound(.standard) }
            // The daemon knows a sound's file by its path, not by a URI.
            let value =
                FileURI.path(of: name)
                ?? environment.fileOrName(name, endings: FileEndings.sounds)
            Output.warnOfUnreadableFile(value, of: "--sound")
            return NotificationSound(.named(value))
        }
    }
}
