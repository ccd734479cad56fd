internal import Foundation
import NotificationModel

/// A row that is marked "presenting": nobody else will show it.
struct ClaimedRequest: Hashable, Sendable {
    var row: Int64
    var app: ApplicationID
    var request: NotificationRequest
    var payload: Data
    /// Whether a service extension may change it before it is shown.
    var isMutable = false
    var due: DueTime
    /// The last date that was skipped, where one was.
    var skipped: Instant?
    /// When it was due before it was snoozed; nil where it was not.
    var regular: DueTime?

    var key: NotificationKey { NotificationKey(app: app, identifier: request.identifier) }
    var files: [String] { request.content.attachments.map(\.path) }
}
