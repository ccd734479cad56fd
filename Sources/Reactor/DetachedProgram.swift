internal import CLinux
internal import Glibc

/// Starts programs that outlive this one.
public enum DetachedProgram {
    /// Starts a program in a session of its own; nobody here waits for its end.
    ///
    /// The first argument is the program's absolute path. No shell is involved. What it says goes
    /// where our own errors go. Throws what the system calls the failure, such as a missing file.
    public static func start(
        _ arguments: [String], environment: [String: String], directory: String
    ) throws(SystemFailure) {
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let descriptor = clinux_start_detached(
            arguments.first ?? "", block(arguments), Int32(arguments.count), block(variables),
            directory, nil, 1)
        guard descriptor >= 0 else { throw SystemFailure(code: -descriptor) }
        close(descriptor)
    }

    /// Each text ends with NUL; the C string's own NUL ends the block.
    private static func block(_ texts: [String]) -> String {
        texts.map { $0 + "\0" }.joined()
    }
}
