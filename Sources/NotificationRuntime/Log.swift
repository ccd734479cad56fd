internal import Logging

/// The runtime's loggers.
enum Log {
    /// The life of the daemon.
    static let daemon = Logger(label: "tocsin.daemon")
}
