internal import Glibc

/// This process as another program.
public enum ProgramImage {
    /// Goes on as this program, with our environment, and returns only where that fails: what the
    /// system calls the failure.
    public static func replace(with path: String, _ arguments: [String]) -> SystemFailure {
        let texts = arguments.map { strdup($0) } + [nil]
        execv(path, texts)
        let failure = SystemFailure(code: errno)
        for text in texts { free(text) }
        return failure
    }
}
