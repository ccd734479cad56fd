internal import CenterInterface
internal import Glibc
internal import NotificationModel

/// What can be seen of the store from outside.
struct StoreFacts: Hashable {
    /// The bytes of its files together.
    var size: Int64 = 0
    /// Its permissions; nil where there is no file.
    var mode: UInt32?
    /// Whether the notification centre's own program could read all that waits, checksums included.
    var isReadable = true

    /// What is wrong with it, and what to do; nil where nothing is.
    func problem(at path: String) -> (text: String, remedy: String)? {
        guard let mode else {
            return (
                "\(path) cannot be seen",
                "Run 'systemctl --user restart tocsind', and see its log with 'journalctl --user "
                    + "-u tocsind'."
            )
        }
        if mode & 0o077 != 0 {
            return ("\(path) can be read by others", "Run 'chmod 600 \(path)'.")
        }
        guard isReadable else {
            return (
                "\(path) is damaged",
                "See 'journalctl --user -u tocsind': what can be saved is; import a backup of "
                    + "'tocsin export' otherwise."
            )
        }
        return nil
    }

    /// `12 kB`.
    static func text(size: Int64) -> String {
        size < 10_000_000 ? "\((size + 999) / 1_000) kB" : "\(size / 1_000_000) MB"
    }
}

extension StoreFacts {
    /// Looks at the files of a store; a program of ours reads it whole.
    init(of path: String, in environment: ToolEnvironment) {
        for suffix in ["", "-wal"] {
            var status = stat()
            guard stat(path + suffix, &status) == 0 else { continue }
            size += Int64(status.st_size)
            if suffix.isEmpty { mode = status.st_mode & 0o777 }
        }
        guard mode != nil else { return }
        let until = String(environment.now.microseconds)
        guard
            let program = try? CompanionProgram(
                "tocsind", ["simulate", "--until", until, "--store", path],
                environment: environment.variables)
        else { return }
        while let line = program.nextLine() {
            if case .error? = SimulationEvent(line) { isReadable = false }
        }
        if program.end() != 0 { isReadable = false }
    }
}
