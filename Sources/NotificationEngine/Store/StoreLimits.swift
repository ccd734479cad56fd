import NotificationModel

/// How much a store keeps; `Limits` has the numbers, and tests use smaller ones.
package struct StoreLimits: Hashable, Sendable {
    /// The most requests that one app may have waiting.
    package var pending = Limits.pending.range.upperBound
    /// The most bytes that the waiting requests and the attachments of one app may have.
    package var bytes = Limits.bytesOfApp.range.upperBound
    /// The most bytes that those of all apps may have.
    package var storeBytes = Limits.bytesOfStore.range.upperBound
    /// The most apps of which anything is kept.
    package var apps = Limits.apps.most
    /// How many requests one app may add at once.
    package var addBurst = Limits.addBurst.most
    /// How many it may add each second after that.
    package var addsPerSecond = Limits.addsPerSecond.most
    /// The most delivered notifications that are kept for one app.
    package var delivered = Limits.delivered.most
    /// How long a delivered notification is kept, and a record, in microseconds.
    package var deliveredAge = Limits.deliveredAge.range.upperBound * 1_000_000
    /// The most records of what came to nothing, of all apps.
    package var records = Limits.records.most
    /// The most of them of one app, so that none pushes out those of the others.
    package var recordsOfApp = Limits.recordsOfApp.most
    /// What is kept free for a full disk, in bytes: once around SQLite's write-ahead log, after
    /// which the log reuses its own space.
    package var reserve = 4 << 20
}
