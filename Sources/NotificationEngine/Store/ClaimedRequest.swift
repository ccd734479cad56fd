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
    /// Whether its app wants a banner alone: it is delivered only as long as its popup is there.
    var isTransient = false
    var due: DueTime
    /// The last date that was skipped, where one was.
    var skipped: Instant?
    /// When it was due before it was snoozed; nil where it was not.
    var regular: DueTime?

    var key: NotificationKey { NotificationKey(app: app, identifier: request.identifier) }
    var files: [String] { request.content.attachments.map(\.path) }

    /// What the row of the delivered notification holds.
    func deliveredPayload() throws(NotificationError) -> Data {
        guard isTransient else { return payload }
        return try PayloadCoding.encode(request.transient)
    }
}

extension NotificationRequest {
    /// The same as one that leaves the delivered ones with its popup.
    var transient: NotificationRequest {
        var request = self
        var desktop = content.desktop ?? DesktopOptions()
        desktop.isTransient = true
        request.content.desktop = desktop
        return request
    }
}
