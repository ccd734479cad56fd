internal import CLinux
internal import Glibc

/// How a program is started: what it gets, and whose child it is.
///
/// No shell is involved. It inherits no descriptor but the standard ones, no signal mask and no
/// handler. One that is started for this program is ended with the thread that started it.
package struct Subprocess: Sendable {
    /// The target of a standard stream.
    package enum Stream: Sendable {
        /// The same as ours.
        case ours
        /// The null device.
        case null
        /// A descriptor of ours, of which it gets a copy.
        case descriptor(Int32)
    }

    /// A program that runs.
    package struct Child: Sendable {
        /// Its number.
        package let process: Int32
        /// A descriptor that is readable once it has ended; whoever has the child closes it.
        package let end: Int32

        /// Sends it a signal.
        package func signal(_ number: Int32) { kill(process, number) }

        /// Sends a signal to it and to what it started, where it has a session of its own.
        package func signalSession(_ number: Int32) {
            // The session's leader has a process group of its own from its first moment.
            if kill(-process, number) != 0 { kill(process, number) }
        }

        /// Waits for its end: its exit status, or 128 and the number of the signal that ended it.
        package func reap() -> Int32 { clinux_reap(process) }
    }

    /// Whose child it is.
    package enum Bond: Sendable {
        /// It is ours, in our session.
        case child
        /// It is ours, in a session of its own, and is killed when the calling thread ends.
        case worker
        /// It is nobody's, in a session of its own; it is not reaped.
        case detached
    }

    /// The program's absolute path, or with `searches` its name, and its arguments.
    package var arguments: [String]
    /// Whether the program is looked for on `PATH`.
    package var searches = false
    /// Its environment; nil for ours.
    package var environment: [String: String]?
    /// Its working directory; nil for ours.
    package var directory: String?
    /// Its standard input.
    package var input = Stream.null
    /// Its standard output.
    package var output = Stream.null
    /// Its standard error.
    package var errors = Stream.ours
    /// Whose child it is.
    package var bond: Bond
    /// How large a file of its own may grow, in bytes; 0 for any size.
    package var fileLimit: Int64 = 0

    /// Makes a plan.
    package init(
        _ arguments: [String], _ bond: Bond, environment: [String: String]? = nil,
        directory: String? = nil
    ) {
        self.arguments = arguments
        self.bond = bond
        self.environment = environment
        self.directory = directory
    }

    /// Starts a program that outlives this one, and of whose end nobody here hears.
    ///
    /// Its output goes where our own errors go.
    package static func detach(
        _ arguments: [String], environment: [String: String], directory: String
    ) throws(SystemFailure) {
        var program = Subprocess(
            arguments, .detached, environment: environment, directory: directory)
        program.output = .descriptor(STDERR_FILENO)
        close(try program.start().end)
    }

    /// Whether this program runs with more rights than its user, and so starts no other.
    package static var hasSpecialRights: Bool {
        getauxval(UInt(AT_SECURE)) != 0 || getuid() != geteuid()
    }

    /// A pipe whose ends are not inherited, to read and to write.
    package static func pipe() throws(SystemFailure) -> (source: Int32, target: Int32) {
        var (source, target) = (Int32(-1), Int32(-1))
        let problem = clinux_pipe(&source, &target)
        guard problem == 0 else { throw SystemFailure(code: problem) }
        return (source, target)
    }

    /// A file in memory with these bytes.
    package static func memoryFile(_ bytes: [UInt8] = []) throws(SystemFailure) -> Int32 {
        let file = clinux_memory_file(bytes, Int64(bytes.count))
        guard file >= 0 else { throw SystemFailure(code: errno) }
        return file
    }

    /// Starts it, or throws what the system calls the failure, such as a missing file.
    package func start() throws(SystemFailure) -> Child {
        guard !arguments.isEmpty else { throw SystemFailure(code: ENOENT) }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { if null >= 0 { close(null) } }
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
        // Lists of C, which end with a null pointer.
        let list = arguments.map { strdup($0) } + [nil]
        let block = variables.map { $0.map { strdup($0) } + [nil] }
        defer { for text in list + (block ?? []) { free(text) } }
        guard !list.dropLast().contains(nil), block?.dropLast().contains(nil) != true else {
            throw SystemFailure(code: ENOMEM)
        }
        let program = clinux_program(
            searches: searches ? 1 : 0, input: number(input), output: number(output),
            errors: number(errors), is_detached: bond == .detached ? 1 : 0,
            is_worker: bond == .worker ? 1 : 0, file_limit: fileLimit)
        var child = clinux_child(pid: 0, pidfd: -1)
        let problem = clinux_start(program, list, block, directory, &child)
        guard problem == 0 else { throw SystemFailure(code: problem) }
        return Child(process: child.pid, end: child.pidfd)
    }
}
