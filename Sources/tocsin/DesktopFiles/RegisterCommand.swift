internal import ArgumentParser
internal import DesktopBus
internal import Glibc
internal import NotificationModel

/// `tocsin register`: makes a program an app that the desktop knows.
///
/// It writes the desktop file of one id. If the id can be a bus name, it also writes the D-Bus
/// service file. It prints the path of each file that it writes or removes. It never replaces or
/// removes a file that it did not write.
struct RegisterCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Make a program an app that the desktop knows.",
        discussion: """
            Writes a desktop file and a D-Bus service file for this user. With them, a click \
            starts the program, and the desktop's settings list it. The program gets its id in \
            TOCSIN_APP_ID. The name and the quick actions of an Info.plist beside the program \
            become those of the desktop file, translated by its InfoPlist.strings.
            """)

    @Argument(help: "The program.", completion: .file())
    var path: String?

    @Option(
        name: .customLong("id"), parsing: .unconditional,
        help: ArgumentHelp("The app's id, such as org.example.Reminders.", valueName: "id"))
    var appID: String

    @Option(
        help: """
            The name that the user reads; by default the Info.plist's, or else the program's.
            """)
    var name: String?

    @Option(help: ArgumentHelp("A theme icon's name, or a picture's path.", valueName: "icon"))
    var icon: String?

    @Flag(
        help: """
            Says that the program takes its id as its bus name, so D-Bus can start the program; \
            background actions then start it, too.
            """)
    var dbusActivatable = false

    @Flag(help: "Removes the files that were written for this id.")
    var remove = false

    func validate() throws {
        guard remove != (path != nil) else {
            throw ValidationError(
                remove
                    ? "'--remove' takes the id alone; leave the program out"
                    : "The program is missing; give its path")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        let id = try AppSelection.id(appID)
        guard let data = environment.dataDirectory() else {
            throw ToolError.failure(
                "There is no place for the files: neither XDG_DATA_HOME nor HOME is set. Set one.")
        }
        let entry = "\(data)/applications/\(id).desktop"
        let service = "\(data)/dbus-1/services/\(id).service"
        if remove { return try Self.remove([entry, service], of: id) }
        var file = try file(of: id, in: environment)
        file.formerText = UserFile.text(entry) ?? ""
        for path in [entry, service] { try Self.checkIsOurs(path) }
        try UserFile.write(file.entryText, to: entry, makesDirectory: true)
        try Output.line(entry)
        if (try? BusName(id.rawValue)) != nil {
            try UserFile.write(file.serviceText, to: service, makesDirectory: true)
            try Output.line(service)
        }
    }

    private static let nameRemedy =
        "Use two or more words of letters, digits, '-' and '_', joined by dots. No word may begin "
        + "with a digit."

    private func file(
        of id: ApplicationID, in environment: ToolEnvironment
    ) throws(ToolError) -> DesktopFile {
        let program = environment.real(path ?? "")
        guard let program, access(program, X_OK) == 0, !program.contains(where: \.isNewline) else {
            throw ToolError.data(
                "\((path ?? "").quotedForMessage()) is not a program that can be started. Give "
                    + "the path of one.")
        }
        // The files start the program by `env`, which would take a path with '=' as a variable.
        guard !program.utf8.contains(UInt8(ascii: "=")) else {
            throw ToolError.data(
                "The path \(program.quotedForMessage()) has '=', so the desktop could not start "
                    + "the program. Give a link to it, whose path has no '='.")
        }
        let isName = (try? BusName(id.rawValue)) != nil
        guard isName || !dbusActivatable else {
            throw ToolError.usage(
                "\(id.rawValue.quotedForMessage()) is not a valid bus name, so D-Bus cannot "
                    + "start the program. \(Self.nameRemedy)")
        }
        let own = program.split(separator: "/").last.map(String.init) ?? program
        let list = try InfoPlist(besides: program)
        let actions = try list.quickActions()
        guard isName || actions.isEmpty else {
            throw ToolError.usage(
                "\(id.rawValue.quotedForMessage()) is not a valid bus name, so the quick actions "
                    + "of the program's Info.plist would not reach it. \(Self.nameRemedy)")
        }
        let given = name.map { InfoPlist.LocalizedText(text: ArgumentSanitizer.cleaned($0)) }
        guard given?.text.isEmpty != true else {
            throw ToolError.usage(
                "The value of '--name' is empty. Give a name, or leave the option out.")
        }
        // A desktop file takes an icon's name or an absolute path, but no URI.
        let icon = icon.map {
            FileURI.path(of: $0) ?? environment.fileOrName($0, endings: FileEndings.images)
        }
        if let icon {
            Output.warnOfUnreadableFile(icon, of: "--icon", endings: FileEndings.images)
        }
        return DesktopFile(
            id: id, program: program,
            name: given ?? list.displayName()
                ?? InfoPlist.LocalizedText(text: ArgumentSanitizer.cleaned(own)),
            icon: icon, isActivatable: dbusActivatable, actions: actions)
    }

    private static func remove(
        _ paths: [String], of id: ApplicationID
    ) throws(ToolError) {
        for path in paths { try checkIsOurs(path) }
        var hasRemoved = false
        for path in paths {
            if unlink(path) == 0 {
                hasRemoved = true
                try Output.line(path)
            } else if errno != ENOENT {
                throw ToolError.failure(
                    "The file \(path.quotedForMessage()) could not be removed: "
                        + "\(String(cString: strerror(errno))). Check its directory.")
            }
        }
        guard hasRemoved else {
            throw ToolError.failure("Nothing is registered as \(id.rawValue.quotedForMessage()).")
        }
    }

    private static func checkIsOurs(_ path: String) throws(ToolError) {
        switch UserFile.read(path, limit: Limits.configurationFile) {
        case .missing: return
        case .bytes(let bytes):
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            let mark = Array(DesktopFile.mark.utf8)
            if lines.contains(where: {
                $0.elementsEqual(mark) || $0.dropFirst(2).elementsEqual(mark)
            }) {
                return
            }
        case .unusable: break
        }
        throw ToolError.failure(
            "The file \(path.quotedForMessage()) was not written by this tool, and stays. Remove "
                + "it yourself, or use another id.")
    }
}

/// The files that make a program an app of the desktop.
///
/// Sources: Desktop Entry Specification 1.5; D-Bus Specification, "Message Bus Starting Services".
struct DesktopFile: Hashable {
    /// The line in every file that this tool writes; the tool changes no file without this line.
    static let mark = "X-Tocsin-Registered=true"

    var id: ApplicationID
    /// The program's absolute path.
    var program: String
    var name: InfoPlist.LocalizedText
    /// The name of a theme icon, or a path.
    var icon: String?
    /// Whether the app takes its id as its bus name, so that D-Bus can start it.
    var isActivatable = false
    /// The quick actions of the app's `Info.plist`.
    var actions: [QuickAction] = []
    /// The text of the desktop file that this one replaces.
    ///
    /// The new file keeps the quick actions that the app itself has set in the replaced file.
    var formerText = ""

    var entryText: String {
        // The program reads its id from this variable.
        let words = ["env", "TOCSIN_APP_ID=\(id.rawValue)", program]
        let exec = words.map(DesktopFileEscaping.execArgument).joined(separator: " ")
        var lines = [
            "[Desktop Entry]", "Type=Application", "Name=\(DesktopFileEscaping.value(name.text))",
        ]
        for (language, text) in name.translations.sorted(by: { $0.key < $1.key }) {
            lines.append("Name[\(language)]=\(DesktopFileEscaping.value(text))")
        }
        lines.append("Exec=\(DesktopFileEscaping.value(exec))")
        if let icon { lines.append("Icon=\(DesktopFileEscaping.value(icon))") }
        if isActivatable { lines.append("DBusActivatable=true") }
        lines += ["X-GNOME-UsesNotifications=true", Self.mark]
        var text = DesktopFileText(lines.joined(separator: "\n") + "\n")
        text.replaceQuickActions(.fixed, with: actions, app: id)
        let dynamic = DesktopFileText(formerText).quickActions.filter { $0.kind == .dynamic }
        text.replaceQuickActions(.dynamic, with: dynamic, app: id)
        return text.text
    }

    var serviceText: String {
        let words = ["/usr/bin/env", "TOCSIN_APP_ID=\(id.rawValue)", program]
        let exec = ShellQuoting.line(words)
        return """
            # \(Self.mark)
            [D-BUS Service]
            Name=\(id.rawValue)
            Exec=\(DesktopFileEscaping.value(exec))

            """
    }
}
