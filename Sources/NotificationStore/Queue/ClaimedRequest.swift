package import Foundation
package import NotificationModel

/// A decoded row of a request; the row is usually claimed.
///
/// A claim marks the row "presenting", so that nothing else shows it. Lists, snoozes, skips and
/// changes of the clock decode a row without a claim.
package struct ClaimedRequest: Hashable, Sendable {
    package var row: Int64
    package var app: ApplicationID
    package var request: NotificationRequest
    package var payload: Data
    /// Whether a service extension may change the request before it is shown.
    package var isMutable = false
    /// Whether the app wants only a banner.
    ///
    /// The notification then stays delivered only while its popup is on the screen.
    package var isTransient = false
    package var due: DueTime
    /// The last date that was skipped; nil if no date was skipped.
    package var skipped: Instant?
    /// The due time before a snooze changed it; nil if the request was not snoozed.
    package var regular: DueTime?
    /// Whether the device was last known to be inside the request's region; nil if not known.
    package var isInside: Bool?

    package init(
        row: Int64, app: ApplicationID, request: NotificationRequest, payload: Data,
        isMutable: Bool = false, isTransient: Bool = false, due: DueTime, skipped: Instant? = nil,
        regular: DueTime? = nil, isInside: Bool? = nil
    ) {
        self.row = row
        self.app = app
        self.request = request
        self.payload = payload
        self.isMutable = isMutable
        self.isTransient = isTransient
        self.due = due
        self.skipped = skipped
        self.regular = regular
        self.isInside = isInside
    }

    package var isSummary: Bool { request.identifier == MissedSummary.identifier }
    package var key: NotificationKey { NotificationKey(app: app, identifier: request.identifier) }
    /// The date to which a snooze delayed the request; nil if the request was not snoozed.
    package var snoozedUntil: Instant? { regular == nil ? nil : due.wall }
    package var files: [String] { request.content.attachments.map(\.path) }

    /// The due date if a delivery at `date` is late; nil if it is punctual.
    package func missedDate(at date: Instant) -> Instant? {
        date.microseconds(since: due.wall) > DeliveredNotification.tolerance ? due.wall : nil
    }

    mutating func encode() throws(NotificationError) {
        payload = try PayloadCoding.encode(
            request, isMutable: isMutable, skipped: skipped, regular: regular,
            isInside: isInside)
    }

    func deliveredPayload(at date: Instant) throws(NotificationError) -> Data {
        let missed = missedDate(at: date)
        guard isTransient || snoozedUntil != nil || missed != nil else { return payload }
        return try PayloadCoding.encode(
            isTransient ? request.transient : request, snoozedUntil: snoozedUntil, due: missed)
    }
}

extension NotificationRequest {
    /// A copy of the request that stays delivered only while its popup is on the screen.
    package var transient: NotificationRequest {
        var request = self
        var desktop = content.desktop ?? DesktopOptions()
        desktop.isTransient = true
        request.content.desktop = desktop
        return request
    }
}

/// The end of an attempt to show a claimed row.
package struct Settlement: Hashable, Sendable {
    /// The state of the request after the attempt.
    package enum Outcome: Hashable, Sendable {
        /// It is delivered; the popup is nil if the server did not answer or shows no popup.
        case delivered(PresentedPopup?)
        /// It is late and delivered without a popup.
        ///
        /// The app's summary of late notifications counts it, and is due at `summary`.
        case deliveredSilently(summary: DueTime)
        /// The app did not want it shown.
        case suppressed
        /// It has no text and therefore no popup; the notification that it replaces is removed.
        case withoutPopup
        /// It was not shown; it is pending again if its row still exists.
        case requeued
        /// It cannot be shown; the text explains the reason.
        case failed(NotificationRecord.Reason, String)
    }

    package var claimed: ClaimedRequest
    package var outcome: Outcome
    package var date: Instant

    package init(claimed: ClaimedRequest, outcome: Outcome, date: Instant) {
        self.claimed = claimed
        self.outcome = outcome
        self.date = date
    }

    /// Whether the notification is now in the list of delivered notifications.
    var isDelivered: Bool {
        switch outcome {
        case .delivered, .deliveredSilently: true
        case .suppressed, .withoutPopup, .requeued, .failed: false
        }
    }

    /// Whether the request fires again if its trigger has another date.
    package var repeats: Bool { outcome != .requeued && claimed.request.trigger?.repeats == true }
}
