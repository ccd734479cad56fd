internal import Foundation
internal import Glibc
internal import Synchronization

/// Ends the programs of a test run if the run itself dies first.
///
/// A crash or Ctrl-C leaves no time to clean up. The guard is a shell that reads a pipe of this
/// process. When the pipe closes, the shell ends the processes that are still on its list, and no
/// others.
final class Guard: Sendable {
    static let shared = Guard()

    private static let script = """
        alive=
        while read -r verb pid; do
            case $verb in
            +) alive="$alive $pid" ;;
            -) rest=; for p in $alive; do [ "$p" = "$pid" ] || rest="$rest $p"; done
               alive=$rest ;;
            esac
        done
        [ -z "$alive" ] || kill $alive 2>/dev/null
        """

    private let input = Mutex<FileHandle?>(nil)

    private init() {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.script]
        let pipe = Pipe()
        process.standardInput = pipe
        // The guard outlives the run by a moment; readers of the run's output must not wait for it.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // A child that inherits this end would keep the pipe open, and the guard would never act.
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        // A failure is ignored: tests need no guard, but a crash then leaves their programs behind.
        if (try? process.run()) != nil {
            input.withLock { $0 = pipe.fileHandleForWriting }
        }
    }

    func add(_ pid: Int32) { write("+ \(pid)\n") }

    func remove(_ pid: Int32) { write("- \(pid)\n") }

    private func write(_ line: String) {
        input.withLock { try? $0?.write(contentsOf: Data(line.utf8)) }
    }
}
