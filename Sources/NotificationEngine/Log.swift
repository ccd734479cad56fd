internal import Logging

/// The engine's loggers; where they write is decided by the program that hosts the engine.
enum Log {
    /// The scheduling and delivery of requests.
    static let engine = Logger(label: "tocsin.engine")
}
