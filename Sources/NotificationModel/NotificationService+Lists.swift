// Whole lists, put together of their pages.
extension RequestKeeping {
    /// The requests that wait, of one app or of all, in the order in which they will fire.
    ///
    /// Identifiers restrict it to those, of an app that is named.
    public func pending(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [PendingNotification] {
        try await whole(identifiers) { query async throws(NotificationError) in
            try await pendingPage(query, of: app)
        }.sorted(by: PendingNotification.firesEarlier)
    }
}

extension RequestScheduling {

    /// The delivered notifications, of one app or of all, newest first.
    ///
    /// Identifiers restrict it to those, of an app that is named.
    public func delivered(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [DeliveredNotification] {
        try await whole(identifiers) { query async throws(NotificationError) in
            try await deliveredPage(query, of: app)
        }
    }

    /// The records of what came to nothing, of one app or of all, newest first.
    ///
    /// Identifiers restrict it to those, of an app that is named.
    public func records(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [NotificationRecord] {
        try await whole(identifiers) { query async throws(NotificationError) in
            try await recordPage(query, of: app)
        }
    }
}

/// A whole list of its pages.
private func whole<Element>(
    _ identifiers: [String]?,
    _ page:
        nonisolated(nonsending) (ListQuery) async throws(NotificationError)
        -> ListPage<Element>
) async throws(NotificationError) -> [Element] {
    var query = ListQuery(identifiers: identifiers)
    var list: [Element] = []
    repeat {
        let next = try await page(query)
        list += next.notifications
        query.after = next.next
    } while query.after != nil
    return list
}
