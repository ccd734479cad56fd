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
