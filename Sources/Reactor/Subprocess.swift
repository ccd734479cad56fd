internal import CLinux
internal import Glibc

/// The plan to start a program: its arguments, its streams, and its relation to this process.
///
/// The program inherits only the standard descriptors, and no signal mask or handler. Signals that
/// this process ignores stay ignored only with `keepsIgnoredSignals`. No shell is involved. The
/// caller owns the started ``Child``.
package struct Subprocess: Sendable {
    /// The target of a standard stream.
    package enum Stream: Sendable {
        /// This process's own stream.
        case ours
        /// The null device.
        case null
        /// A descriptor of this process, of which the program gets a copy.
        case descriptor(Int32)
    }

    /// A running program.
    package struct Child: Sendable {
        /// The program's process id.
        package let process: Int32
        /// A descriptor that becomes readable when the program ends; the owner of the child closes
        /// it.
        package let end: Int32
        /// The pipe for the reason of a failed `beginStart`; -1 if `start` made this child.
        fileprivate let report: Int32

        package func signal(_ number: Int32) { kill(process, number) }

        /// Sends a signal to the program's own process group, or to the program alone if no such
        /// group exists.
        package func signalSession(_ number: Int32) {
            // If the first call fails, the program has no process group of its own, or has not made
            // it yet.
            if kill(-process, number) != 0 { kill(process, number) }
        }

        /// Waits for the program's end, and returns its exit status.
        ///
        /// If a signal ended the program, the result is 128 plus the signal's number.
        package func reap() -> Int32 { clinux_reap(process, nil) }

        /// Waits as `reap()` does, and sets `signal` only if a signal ended the program.
        package func reap(signal: inout Int32) -> Int32 { clinux_reap(process, &signal) }

        /// The reason why a child of `beginStart` started no program; nil if the program started.
        ///
        /// Call this once, after the child's end.
        package func startFailure() -> SystemFailure? {
            let problem = clinux_start_problem(report)
            return problem == 0 ? nil : SystemFailure(code: problem)
        }
    }

    /// The relation of a program to this process.
    package enum Bond: Sendable {
        /// A child in this process's session.
        case child
        /// A child in a new session; the kernel kills it when the thread that started it ends.
        case worker
        /// A program in a new session; the program is no child of this process, so this process
        /// does not reap it.
        case detached
    }

    /// The program's absolute path (or its name, if `searches` is true), then its arguments.
    package var arguments: [String]
    /// Whether the program is searched for in the directories of `PATH`.
    package var searches = false
    /// The program's environment; nil for the environment of this process.
    package var environment: [String: String]?
    /// The program's working directory; nil for the directory of this process.
    package var directory: String?
    package var input = Stream.null
    package var output = Stream.null
    package var errors = Stream.ours
    package var bond: Bond
    /// The largest size, in bytes, to which the program may write a file; 0 for any size.
    package var fileLimit: Int64 = 0
    /// Whether the program also ignores the signals that this process ignores, except SIGPIPE and
    /// SIGCHLD.
    package var keepsIgnoredSignals = false

    package init(
        _ arguments: [String], _ bond: Bond, environment: [String: String]? = nil,
        directory: String? = nil
    ) {
        self.arguments = arguments
        self.bond = bond
        self.environment = environment
        self.directory = directory
    }

    /// Starts a program that outlives this one; this process does not see the program's end.
    ///
    /// The program's output goes to this process's standard error.
    ///
    /// - Throws: The system's error if the program cannot be started.
    package static func detach(
        _ arguments: [String], environment: [String: String], directory: String
    ) throws(SystemFailure) {
        var program = Subprocess(
            arguments, .detached, environment: environment, directory: directory)
        program.output = .descriptor(STDERR_FILENO)
        close(try program.start().end)
    }

    /// Whether this process has more rights than its user.
    ///
    /// If so, the user must not choose the programs that this process starts.
    package static var hasSpecialRights: Bool {
        getauxval(UInt(AT_SECURE)) != 0 || getuid() != geteuid()
    }

    /// A pipe whose ends are not inherited: one to read, one to write.
    ///
    /// - Throws: The system's error if no descriptor is free.
    package static func pipe() throws(SystemFailure) -> (source: Int32, target: Int32) {
        var (source, target) = (Int32(-1), Int32(-1))
        let problem = clinux_pipe(&source, &target)
        guard problem == 0 else { throw SystemFailure(code: problem) }
        return (source, target)
    }

    /// A file in memory with these bytes.
    ///
    /// - Throws: The system's error if no descriptor or memory is free.
    package static func memoryFile(_ bytes: [UInt8] = []) throws(SystemFailure) -> Int32 {
        let file = clinux_memory_file(bytes, Int64(bytes.count))
        guard file >= 0 else { throw SystemFailure(code: errno) }
        return file
    }

    /// Starts the program.
    ///
    /// - Throws: The system's error, such as `ENOENT` for a missing file.
    package func start() throws(SystemFailure) -> Child {
        try start(returnsEarly: false)
    }

    /// Starts a worker or child, and returns before the child opens the program's file.
    ///
    /// This process does not wait for the file, because its file system may hang.
    ///
    /// After the child's end, call its `startFailure()`.
    ///
    /// - Throws: The system's error if no process can be made.
    package func beginStart() throws(SystemFailure) -> Child {
        try start(returnsEarly: true)
    }

    private func start(returnsEarly: Bool) throws(SystemFailure) -> Child {
        guard !arguments.isEmpty else { throw SystemFailure(code: ENOENT) }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard null >= 0 else { throw SystemFailure(code: errno) }
        defer { close(null) }
        func number(_ stream: Stream) -> Int32 {
            switch stream {
            case .ours: -1
            case .null: null
            case .descriptor(let descriptor): descriptor
            }
        }
        let variables = environment.map { values in
            values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        }
        // In C, both lists end with a null pointer.
        let list = arguments.map { strdup($0) } + [nil]
        let block = variables.map { $0.map { strdup($0) } + [nil] }
        defer { for text in list + (block ?? []) { free(text) } }
        guard !list.dropLast().contains(nil), block?.dropLast().contains(nil) != true else {
            throw SystemFailure(code: ENOMEM)
        }
        let program = clinux_program(
            searches: searches ? 1 : 0, input: number(input), output: number(output),
            errors: number(errors), is_detached: bond == .detached ? 1 : 0,
            is_worker: bond == .worker ? 1 : 0, keeps_ignored: keepsIgnoredSignals ? 1 : 0,
            file_limit: fileLimit, returns_early: returnsEarly ? 1 : 0)
        var child = clinux_child(pid: 0, pidfd: -1, report: -1)
        let problem = clinux_start(program, list, block, directory, &child)
        guard problem == 0 else { throw SystemFailure(code: problem) }
        return Child(process: child.pid, end: child.pidfd, report: child.report)
    }
}
