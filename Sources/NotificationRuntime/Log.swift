internal import Logging

enum Log {
    /// The logger of the daemon.
    static let daemon = Logger(label: "tocsin.daemon")
    /// The logger of the library's parts that run in an app.
    static let host = Logger(label: "tocsin.host")
}
