internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// `tocsin --user NAME COMMAND`: root acts as another user, on that user's bus and store.
enum UserSwitch {
    /// What belongs to the caller's session, and not to the user's.
    private static let foreign = [
        "DBUS_SESSION_BUS_ADDRESS", "DBUS_STARTER_ADDRESS", "XDG_STATE_HOME", "XDG_DATA_HOME",
        "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XAUTHORITY", "MAIL", "DISPLAY", "WAYLAND_DISPLAY",
        "TMPDIR",
    ]
    /// Tells the program that goes on whom it acts as, for its messages.
    private static let mark = "TOCSIN_ACTS_AS"

    /// The name that a command line begins with, and the rest of it.
    static func split(
        _ arguments: [String]
    ) throws(ToolError) -> (user: String?, rest: [String]) {
        guard let first = arguments.first else { return (nil, arguments) }
        if first.hasPrefix("--user=") {
            return (String(first.dropFirst(7)), Array(arguments.dropFirst()))
        }
        guard first == "--user" else { return (nil, arguments) }
        guard arguments.count > 1 else {
            throw ToolError(.usage, "'--user' has no name. Write 'tocsin --user anna list'.")
        }
        return (arguments[1], Array(arguments.dropFirst(2)))
    }

    /// Goes on as that user, from the beginning; returns for one's own name, where nothing changes.
    ///
    /// A process that only changed its user could not be looked at by that user's daemon, which asks
    /// the system who calls (proc(5), "dumpable").
    static func become(
        _ name: String, _ arguments: [String], in environment: ToolEnvironment
    ) throws(ToolError) {
        guard let entry = getpwnam(name)?.pointee else {
            throw ToolError(
                .usage, "There is no user \(name.quotedForMessage()). Write a name of this system.")
        }
        let (uid, gid) = (entry.pw_uid, entry.pw_gid)
        let home = String(cString: entry.pw_dir)
        guard uid != geteuid() else { return }
        guard geteuid() == 0 else {
            throw ToolError(
                .usage,
                "Only root acts as another user. Run it with sudo, or without '--user'.")
        }
        let program = environment.executable()
        guard initgroups(name, gid) == 0, setgid(gid) == 0, setuid(uid) == 0
        else {
            throw ToolError(
                .failure,
                "The user could not be changed to \(name.quotedForMessage()): "
                    + "\(String(cString: strerror(errno))).")
        }
        for variable in foreign { unsetenv(variable) }
        for (variable, value) in [
            ("HOME", home), ("USER", name), ("LOGNAME", name),
            ("XDG_RUNTIME_DIR", "/run/user/\(uid)"), (mark, name),
        ] {
            setenv(variable, value, 1)
        }
        let failure = ProgramImage.replace(with: program, ["tocsin"] + arguments)
        throw ToolError(
            .failure,
            "The user \(name.quotedForMessage()) cannot run \(program.quotedForMessage()): "
                + "\(failure). Install Tocsin where every user can read it.")
    }

    /// Whether root acts as another user.
    static func isActing(in environment: ToolEnvironment) -> Bool {
        environment.variable(mark) != nil
    }

    /// What to do about a user without a bus; nil for other errors, and for those of one's own.
    static func remedy(of error: BusError, in environment: ToolEnvironment) -> String? {
        guard error.code == .noBus, let name = environment.variable(mark) else { return nil }
        return "\(name) has no session bus: there is no socket at /run/user/\(geteuid())/bus. It "
            + "is there while \(name) is logged in; 'loginctl enable-linger \(name)' starts one "
            + "at boot."
    }
}
