/// How much a store keeps.
package struct StoreLimits: Hashable, Sendable {
    /// The most requests that one app may have waiting.
    package var pending: Int64 = 100_000
    /// The most bytes that the waiting requests and the attachments of one app may have.
    package var bytes: Int64 = 1 << 30
    /// How many requests one app may add at once.
    package var addBurst = 120_000
    /// How many it may add each second after that.
    package var addsPerSecond = 1_000
    /// The most delivered notifications that are kept for one app.
    package var delivered = 100
    /// How long a delivered notification is kept, and a record, in microseconds.
    package var deliveredAge: Int64 = 7 * 24 * 3_600 * 1_000_000
    /// The most records of what came to nothing, of all apps.
    package var records = 1_000
    /// The most of them of one app, so that none pushes out those of the others.
    package var recordsOfApp = 100
    /// What is kept free for a full disk, in bytes: once around SQLite's write-ahead log, after
    /// which the log reuses its own space.
    package var reserve = 4 << 20
}
