internal import ArgumentParser
internal import Glibc
internal import NotificationModel

/// The options of `send` and `schedule` for the commands of clicks.
struct CommandOptions: ParsableArguments {
    @Option(
        "Runs a shell command in the current directory when the notification is clicked, even "
            + "days later.",
        value: "command", name: .customLong("on-click"))
    var onClick: String?

    @Option(
        "Opens an address or a file when the notification is clicked.",
        value: "url", name: .customLong("open"))
    var opened: String?

    @Option(
        "Runs a shell command when the button of this id is pressed; may be repeated.",
        value: "id=command", name: .customLong("on"))
    var onAction: [String] = []

    var isEmpty: Bool { onClick == nil && opened == nil && onAction.isEmpty }

    /// Whether a click on the notification itself runs something.
    var hasClick: Bool { onClick != nil || opened != nil }

    /// Warns if no program for `--open` is installed.
    ///
    /// The tool makes the notification anyway, because the user may install a program before the
    /// click.
    func warnOfMissingOpener(in environment: ToolEnvironment) {
        guard opened != nil, !URLOpener.isInstalled(in: environment) else { return }
        Output.warn(URLOpener.warning("'--open' opens nothing"))
    }

    /// The commands of a notification; nil if no option gives one.
    func commands(
        of key: NotificationKey, actions: [NotificationAction], in environment: ToolEnvironment
    ) throws(ToolError) -> ClickCommands? {
        guard !isEmpty else { return nil }
        var result = ClickCommands(
            key: key, directory: environment.directory, created: environment.now)
        result.click = try onClick.map { text throws(ToolError) in
            .shell(try Self.checked(text, "--on-click"))
        }
        if let opened {
            let target = try Self.checked(Self.target(opened, in: environment), "--open")
            result.click = URLOpener.command(for: target, in: environment)
        }
        for text in onAction {
            guard let equals = text.firstIndex(of: "=") else {
                throw ToolError.usage(
                    "'--on \(text)' has no command. Write it as '--on yes=\"touch done\"'.")
            }
            let identifier = String(text[..<equals])
            if actions.contains(where: { $0.identifier == identifier && $0.snooze != nil }) {
                throw ToolError.usage(
                    "'--on \(identifier)' would never run, because that button only snoozes. Use "
                        + "'--on' with the id of another action.")
            }
            guard actions.contains(where: { $0.identifier == identifier }) else {
                throw ToolError.usage(
                    "There is no action \(identifier.quotedForMessage()) for '--on'. Add it with "
                        + "'--action', as in '--action \(identifier)=Text'.")
            }
            result.actions[identifier] = .shell(
                try Self.checked(
                    String(text[text.index(after: equals)...]), "--on \(identifier)"))
        }
        return result
    }

    func validate() throws {
        try ValidationError.check(onClick != nil, "--on-click", excludes: opened != nil, "--open")
    }

    /// Returns an address unchanged, and the path of a file as an absolute path.
    ///
    /// The program that opens the file would read a relative path such as `-x` as an option.
    ///
    /// A name such as `log-12:30.txt` also has the form of an address. If there is such a file, the
    /// name means the file.
    private static func target(
        _ text: String, in environment: ToolEnvironment
    ) throws(ToolError) -> String {
        let text = ArgumentSanitizer.cleaned(text)
        let scheme = text.prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0))
        }
        let rest = text.dropFirst(scheme.count)
        if scheme.first?.isLetter == true, rest.hasPrefix(":"),
            rest.hasPrefix("://") || access(environment.absolute(text), F_OK) != 0
        {
            return text
        }
        guard !text.isEmpty else {
            throw ToolError.usage(
                "'--open' is empty. Give an address such as 'https://example.org'.")
        }
        return environment.absolute(text)
    }

    private static func checked(_ text: String, _ option: String) throws(ToolError) -> String {
        guard Limits.clickCommand.contains(text.utf8.count) else {
            throw ToolError.usage(
                "The text of '\(option)' has \(text.utf8.count) bytes; give one of 1 to "
                    + "\(Limits.clickCommand.most).")
        }
        return text
    }
}

/// The program with which a click opens a file or an address.
enum URLOpener {
    private static func installed(in environment: ToolEnvironment) -> [String]? {
        Desktops.openers.first { environment.program(named: $0[0]) != nil }
    }

    static func isInstalled(in environment: ToolEnvironment) -> Bool {
        installed(in: environment) != nil
    }

    /// The command that opens an address or an absolute path.
    ///
    /// If no opener is installed, the command is `xdg-open`, which may be installed before the
    /// click.
    static func command(for target: String, in environment: ToolEnvironment) -> ClickCommand {
        ClickCommand((installed(in: environment) ?? Desktops.openers[0]) + [target])
    }

    static func warning(_ what: String) -> String {
        "tocsin: \(what): no program that opens files is installed. Install the package xdg-utils."
    }
}
