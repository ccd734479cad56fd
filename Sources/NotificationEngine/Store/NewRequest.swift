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
}
