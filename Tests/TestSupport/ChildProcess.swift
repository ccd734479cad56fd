public import Foundation
import Glibc

/// A program that a test starts; `deinit` kills it if it still runs.
///
/// It owns the process and the read end of its output.
///
/// It promises a clean signal mask. Foundation's `Process` passes on the mask of the calling
/// thread, and the threads of Swift's tasks block nearly all signals. A `dbus-daemon` with such a
/// mask never learns that an activated service has ended.
///
/// It never leaves a process behind.
///
/// Unchecked Sendable: `lock` guards the status; everything else is constant.
public final class ChildProcess: @unchecked Sendable {
    /// A failure to start a program.
    public struct Failure: Error, CustomStringConvertible {
        /// A description of the failure.
        public let description: String
    }

    /// The exit status and the output of a program.
    public struct Result: Sendable, Equatable {
        /// The exit status, or minus the signal that ended the program.
        public let status: Int32
        /// The text on its standard output.
        public let output: String

        /// Makes a result.
        public init(status: Int32, output: String) {
            self.status = status
            self.output = output
        }
    }

    /// The process id.
    public let processIdentifier: Int32
    /// The read end of its standard output.
    public let output: FileHandle

    private static let starting = NSLock()
    private let lock = NSLock()
    private var status: Int32?

    /// Starts a program, by default with the environment of this process.
    ///
    /// If `errorFile` is given, the program's standard error goes to that file.
    public init(
        _ executable: String, _ arguments: [String] = [],
        environment: [String: String]? = nil,
        errorFile: String? = nil
    ) throws {
        // Start one child at a time: a second child could inherit the pipe and keep it open. The
        // reader of the output would then never see the end of the pipe.
        Self.starting.lock()
        defer { Self.starting.unlock() }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(description: "no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        if let errorFile {
            posix_spawn_file_actions_addopen(
                &actions, 2, errorFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map {
            strdup($0)
        }
        arguments.append(nil)
        var variables: [UnsafeMutablePointer<CChar>?] =
            (environment ?? ProcessInfo.processInfo.environment).map {
                strdup("\($0.key)=\($0.value)")
            }
        variables.append(nil)
        defer { for string in arguments + variables { free(string) } }
        var process: pid_t = 0
        let failure = posix_spawnp(
            &process, executable, &actions, &attributes, arguments, variables)
        guard failure == 0 else {
            throw Failure(
                description: "could not start \(executable): \(String(cString: strerror(failure)))")
        }
        processIdentifier = process
        Guard.shared.add(process)
    }

    deinit {
        killAndWait()
    }

    /// Sends a signal, unless the program has ended.
    public func signal(_ number: Int32) {
        lock.withLock {
            if status == nil { kill(processIdentifier, number) }
        }
    }

    /// Kills the program, if it still runs, and waits for its end.
    public func killAndWait() {
        signal(SIGKILL)
        waitUntilExit()
    }

    /// Blocks until the program ends; returns its exit status, or minus the signal that ended it.
    @discardableResult
    public func waitUntilExit() -> Int32 {
        // Wait without reaping: no other process can get the id before the status is recorded.
        var information = siginfo_t()
        while waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) != 0,
            errno == EINTR
        {}
        return lock.withLock {
            if let status { return status }
            var raw: Int32 = 0
            waitpid(processIdentifier, &raw, 0)
            Guard.shared.remove(processIdentifier)
            let result = raw & 0x7f == 0 ? (raw >> 8) & 0xff : -(raw & 0x7f)
            status = result
            return result
        }
    }

    /// Returns when the program has ended, with all its output.
    public func finish() async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = self.output.readDataToEndOfFile()
                let result = Result(
                    status: self.waitUntilExit(), output: String(decoding: data, as: UTF8.self))
                continuation.resume(returning: result)
            }
        }
    }
}
