internal import Glibc
internal import NotificationModel
internal import Reactor

/// The variables of the environment that belong to another user.
///
/// `runuser -u anna` and `sudo -E -u anna` keep the caller's variables, such as root's bus,
/// runtime directory and home. The tool ignores these variables. It uses anna's own values if it
/// finds them in `/run/user` or in the list of users. The command of `tocsin run` still gets the
/// caller's environment unchanged.
struct EnvironmentOwner: Hashable {
    /// Finds the owners of files; a variable belongs to the owner of the file that it names.
    struct Files: Sendable {
        /// The owner of a path: nil if nothing is there, `unreachable` if the user may not search a
        /// directory of the path.
        var owner: @Sendable (String) -> UInt32?
        /// The owner of an abstract socket, which has no file; nil if nobody listens.
        var listener: @Sendable (String) -> UInt32?
        var isWritable: @Sendable (String) -> Bool

        /// No user has this id (POSIX, `chown`).
        static let unreachable = UInt32.max
    }

    /// Variables that name a directory of the user.
    private static let directories = [
        "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
    ]
    /// The other variables of a session, apart from its bus and its runtime directory.
    private static let session = [
        "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    ]

    /// The variables that belong to another user and have no replacement in `values`.
    private(set) var ignored: Set<String> = []
    /// The user's own values in place of another user's.
    private(set) var values: [String: String] = [:]
    /// Whether another user called the tool through sudo, which resets the variables by default.
    private(set) var isCalledBySudo = false

    /// Ignores no variable: for tests, which pass an environment of their own.
    init() {}

    /// Decides which variables to ignore, by the owners of the files that they name.
    init(
        user: UInt32 = geteuid(), files: Files = .system,
        account: (UInt32) -> (name: String, home: String)? = Self.account,
        variable: (String) -> String?
    ) {
        func isForeign(_ name: String) -> Bool {
            guard let path = variable(name), path.utf8.first == UInt8(ascii: "/") else {
                return false
            }
            return Self.isForeign(path, to: user, files)
        }
        if isForeign("XDG_RUNTIME_DIR") {
            ignored.insert("XDG_RUNTIME_DIR")
            let own = "/run/user/\(user)"
            if files.owner(own) == user { values["XDG_RUNTIME_DIR"] = own }
        }
        let address = variable("DBUS_SESSION_BUS_ADDRESS") ?? ""
        if Self.isForeignBus(address, to: user, files) {
            ignored.insert("DBUS_SESSION_BUS_ADDRESS")
        }
        if !ignored.isEmpty { ignored.formUnion(Self.session) }
        for name in Self.directories where isForeign(name) { ignored.insert(name) }
        if isForeign("HOME"), let account = account(user) {
            values["HOME"] = account.home
            values["USER"] = account.name
            values["LOGNAME"] = account.name
        }
        ignored.subtract(values.keys)
        if let caller = variable("SUDO_UID").flatMap(UInt32.init) {
            isCalledBySudo = caller != user
        }
    }

    /// A message about a missing bus that says what this user can do.
    ///
    /// It replaces `message` after a call through sudo, or if the bus address or the home belongs
    /// to another user.
    func remedy(_ message: String) -> String {
        let isForeign = ignored.contains("DBUS_SESSION_BUS_ADDRESS") || values["HOME"] != nil
        guard isForeign || isCalledBySudo else { return message }
        let user = geteuid()
        let name = Self.account(of: user)?.name ?? String(user)
        let variables =
            isForeign
            ? "the variables of another user are ignored" : "DBUS_SESSION_BUS_ADDRESS is not set"
        return "\(name) has no session bus: there is no socket at /run/user/\(user)/bus, and "
            + "\(variables). The socket exists while \(name) is logged "
            + "in; 'loginctl enable-linger \(name)' starts a bus at boot."
    }

    /// Whether a path belongs to another user.
    ///
    /// If the path is missing, its nearest existing parent decides. The path is foreign if the user
    /// cannot create files there. For root it is foreign if the parent belongs to another user.
    private static func isForeign(_ path: String, to user: UInt32, _ files: Files) -> Bool {
        if let owner = files.owner(path) { return owner != user }
        var parent = path[...]
        while let slash = parent.lastIndex(of: "/") {
            parent = parent[..<slash]
            let directory = parent.isEmpty ? "/" : String(parent)
            guard let owner = files.owner(directory) else { continue }
            // Root can write anywhere, and would leave its files in a user's home.
            return user == 0 ? owner != 0 : !files.isWritable(directory)
        }
        return false
    }

    /// Whether the socket of a bus address belongs to another user.
    ///
    /// A missing socket belongs to nobody: the address stays, and opening it reports the mistake.
    private static func isForeignBus(_ address: String, to user: UInt32, _ files: Files) -> Bool {
        address.utf8.split(separator: UInt8(ascii: ";")).contains { part in
            let entries = part.drop { $0 != UInt8(ascii: ":") }.dropFirst()
            return entries.split(separator: UInt8(ascii: ",")).contains { entry in
                let text = String(decoding: unescaped(entry), as: UTF8.self)
                let value = String(text.drop { $0 != "=" }.dropFirst())
                let owner: UInt32? =
                    switch text.prefix(while: { $0 != "=" }) {
                    case "path": files.owner(value)
                    case "abstract": files.listener(value)
                    default: nil
                    }
                return owner.map { $0 != user } ?? false
            }
        }
    }

    /// Turns `%2f` into a slash.
    ///
    /// Source: D-Bus Specification, "Server Addresses".
    private static func unescaped(_ text: Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(hexadecimal: rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func account(of user: UInt32) -> (name: String, home: String)? {
        guard let entry = getpwuid(user)?.pointee else { return nil }
        return (String(cString: entry.pw_name), String(cString: entry.pw_dir))
    }
}

extension EnvironmentOwner.Files {
    static let system = EnvironmentOwner.Files(
        owner: { path in
            var status = stat()
            guard stat(path, &status) != 0 else { return status.st_uid }
            return errno == EACCES ? unreachable : nil
        },
        listener: { AbstractSocket.listener($0) },
        isWritable: { access($0, W_OK | X_OK) == 0 })
}
