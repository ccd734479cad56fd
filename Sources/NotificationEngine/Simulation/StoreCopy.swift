internal import Foundation
internal import GRDB
public import NotificationModel

/// A copy of a store as it is at one moment; whoever has the store goes on with it meanwhile.
///
/// The copies of attachments stay where they are: nothing that is simulated is shown.
public struct StoreCopy: Sendable {
    /// Where the copy lies.
    public let layout: StoreLayout

    /// Copies a store into a new private directory, by SQLite's online backup.
    public init(of source: StoreLayout, into directory: String) throws(NotificationError) {
        layout = StoreLayout(directory: directory)
        guard FileManager.default.fileExists(atPath: source.database) else {
            throw NotificationError(
                .storeUnavailable,
                "There is no store at \(source.database.quotedForMessage(limit: 300)). Schedule "
                    + "something first.")
        }
        try StoreDirectory(path: directory).prepare()
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let original = try DatabaseQueue(path: source.database, configuration: configuration)
            let copy = try DatabaseQueue(path: layout.database)
            try original.backup(to: copy)
            try copy.close()
            try original.close()
        } catch {
            throw StoreFile.translate(error, what: "copied", store: source.database)
        }
    }

    /// Deletes the copy.
    public func remove() {
        try? FileManager.default.removeItem(atPath: layout.directory)
    }
}
