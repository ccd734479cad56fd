internal import NotificationModel

extension UNUserNotificationCenter {
    /// Stores a request, in place of a pending one of the same identifier.
    ///
    /// The handler gets nil when the request is on disk: it then fires whether the app runs or not.
    /// It gets a ``UNError`` for what Apple has a code for, and a ``UNServiceError`` for the rest:
    /// no session bus, a full disk, user info that is no property list, an interval that is not
    /// above zero.
    @preconcurrency
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        call(inOrder: completionHandler != nil, addition(of: request)) { _, error in
            completionHandler?(error)
        }
    }

    /// Stores a request, in place of a pending one of the same identifier.
    ///
    /// Throws what ``add(_:withCompletionHandler:)`` gives its handler.
    public func add(_ request: UNNotificationRequest) async throws {
        try await call(addition(of: request))
    }

    // The files are opened here, so that what was checked is what is copied, whatever the app does
    // with them after the call.
    private func addition(of request: UNNotificationRequest) -> Work<Void> {
        let model: NotificationRequest
        let files: [OpenAttachment]
        do {
            model = try request.request()
            files = try OpenAttachment.all(of: request.content)
        } catch {
            // Through the queue, too: who the app is may be wrong, and that is the first error.
            return { _ throws(NotificationError) in throw error }
        }
        return { [temporary] connected throws(NotificationError) in
            try await connected.service.add(
                model, attachments: files.map(\.file), for: connected.application)
            for file in files { file.removeOriginal(in: temporary) }
        }
    }

    /// Gives the requests that wait, in the order in which they will fire.
    @preconcurrency
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        get(Self.pending, completion: completionHandler)
    }

    /// The requests that wait, in the order in which they will fire.
    public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        await get(Self.pending)
    }

    private static var pending: Read<[UNNotificationRequest]> {
        Read(purpose: "Listing the pending requests", empty: []) {
            connected throws(NotificationError) in
            let pending = try await connected.service.pending(of: connected.application)
            return pending.map { UNNotificationRequest($0.request) }
        }
    }

    /// Removes requests that wait; unknown identifiers are ignored.
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        removePending(.identifiers(identifiers))
    }

    /// Removes every request of the app that waits.
    public func removeAllPendingNotificationRequests() {
        removePending(.all)
    }

    private func removePending(_ selection: NotificationSelection) {
        store("Removing pending requests") { connected throws(NotificationError) in
            try await connected.service.removePending(selection, of: connected.application)
        }
    }
}

extension UNUserNotificationCenter {
    /// Gives the app's notifications that were not answered, dismissed or removed, newest first.
    @preconcurrency
    public func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        get(Self.delivered, completion: completionHandler)
    }

    /// The app's notifications that were not answered, dismissed or removed, newest first.
    public func deliveredNotifications() async -> [UNNotification] {
        await get(Self.delivered)
    }

    private static var delivered: Read<[UNNotification]> {
        Read(purpose: "Listing the delivered notifications", empty: []) {
            connected throws(NotificationError) in
            let delivered = try await connected.service.delivered(of: connected.application)
            return delivered.map { UNNotification($0) }
        }
    }

    /// Removes delivered notifications and takes their popups away; unknown identifiers are ignored.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        removeDelivered(.identifiers(identifiers))
    }

    /// Removes every delivered notification of the app and takes the popups away.
    public func removeAllDeliveredNotifications() {
        removeDelivered(.all)
    }

    private func removeDelivered(_ selection: NotificationSelection) {
        store("Removing delivered notifications") { connected throws(NotificationError) in
            try await connected.service.removeDelivered(selection, of: connected.application)
        }
    }
}
