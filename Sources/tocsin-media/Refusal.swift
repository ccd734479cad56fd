internal import Glibc

/// Why the program has no result: a status of sysexits(3), and a sentence for the user.
struct Refusal: Error {
    let status: Int32
    let message: String

    static func file(_ message: String) -> Refusal { Refusal(status: EX_DATAERR, message: message) }

    /// This machine lacks something that the program needs, or the system reported an error.
    static func unavailable(_ message: String) -> Refusal {
        Refusal(status: EX_UNAVAILABLE, message: message)
    }
}
