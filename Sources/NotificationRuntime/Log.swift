internal import Logging

enum Log {
    /// The life of the daemon.
    static let daemon = Logger(label: "tocsin.daemon")
    /// The parts of the library that run in an app.
    static let host = Logger(label: "tocsin.host")
}
