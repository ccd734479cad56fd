internal import Logging

enum Log {
    /// The life of the daemon.
    static let daemon = Logger(label: "tocsin.daemon")
    /// The notification centre of an app that has no daemon.
    static let host = Logger(label: "tocsin.host")
}
