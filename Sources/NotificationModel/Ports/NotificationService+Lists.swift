// Whole lists, composed of their pages.
extension RequestKeeping {
    /// The pending requests, of one app or of all, in the order in which they will fire.
    ///
    /// If `identifiers` is given, the list has only these notifications, and `app` must be given,
    /// too.
    ///
    /// - Throws: The errors of `pendingPage(_:of:)`.
    public func pending(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [PendingNotification] {
        try await pending(of: app, identifiers: identifiers) { $0 }
    }

    /// Reads whole pages and maps their requests; a service may implement this method faster.
    ///
    /// - Throws: The errors of `pendingPage(_:of:)`.
    public func pending<Element: Sendable>(
        of app: ApplicationID?, identifiers: [String]?,
        as element: @escaping @Sendable (PendingNotification) -> Element
    ) async throws(NotificationError) -> [Element] {
        try await whole(identifiers) { query async throws(NotificationError) in
            try await pendingPage(query, of: app)
        }.sorted(by: PendingNotification.firesEarlier).map(element)
    }
}

extension RequestScheduling {
    /// The delivered notifications, of one app or of all, newest first.
    ///
    /// If `identifiers` is given, the list has only these notifications, and `app` must be given,
    /// too.
    ///
    /// - Throws: The errors of `deliveredPage(_:of:)`.
    public func delivered(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [DeliveredNotification] {
        try await whole(identifiers) { query async throws(NotificationError) in
            try await deliveredPage(query, of: app)
        }
    }

    /// The records of missed notifications, of one app or of all, newest first.
    ///
    /// If `identifiers` is given, the list has only these notifications, and `app` must be given,
    /// too.
    ///
    /// - Throws: The errors of `recordPage(_:of:)`.
    public func records(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [NotificationRecord] {
        try await whole(identifiers) { query async throws(NotificationError) in
            try await recordPage(query, of: app)
        }
    }
}

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
