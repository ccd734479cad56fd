internal import Foundation
import NotificationModel

/// A request as it enters the store: checked, encoded, with its first due time.
struct NewRequest: Sendable {
    var app: ApplicationID
    var identifier: String
    var payload: Data
    var due: DueTime
    /// Our copies of its attachments.
    var files: [String]

    /// The size of these copies together, and of each by its name.
    func fileSizes() -> (total: Int64, byName: [(name: String, size: Int64)]) {
        let sizes = files.map { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let size = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
            return (name: (path as NSString).lastPathComponent, size: size)
        }
        return (sizes.reduce(0) { $0 + $1.size }, sizes)
    }
}

/// What one of several requests that are added together changes.
enum StoreAddition: Sendable {
    /// Stored in place of the waiting one of its identifier.
    case request(NewRequest)
    /// The waiting one of this identifier goes, and none comes.
    case removal(String)

    /// Our copies of its attachments.
    var files: [String] {
        guard case .request(let new) = self else { return [] }
        return new.files
    }

    var isRemoval: Bool {
        guard case .removal = self else { return false }
        return true
    }
}
