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
        guard let completionHandler else { return add(request) { _ in } }
        let ticket = handlers.ticket()
        add(request) { [handlers] (result: Result<Void, NotificationError>) in
            handlers.run(ticket) {
                switch result {
                case .success: completionHandler(nil)
                case .failure(let error): completionHandler(error.asUserNotificationsError)
                }
            }
        }
    }

    /// Stores a request, in place of a pending one of the same identifier.
    ///
    /// Throws what ``add(_:withCompletionHandler:)`` gives its handler.
    public func add(_ request: UNNotificationRequest) async throws {
        try await withCheckedThrowingContinuation { continuation in
            add(request) { (result: Result<Void, NotificationError>) in
                continuation.resume(with: result.mapError(\.asUserNotificationsError))
            }
        }
    }

    // The files are opened here, so that what was checked is what is copied, whatever the app does
    // with them after the call.
    private func add(
        _ request: UNNotificationRequest,
        completion: @escaping @Sendable (Result<Void, NotificationError>) -> Void
    ) {
        let model: NotificationRequest
        let files: [OpenAttachment]
        do {
            model = try request.request()
            files = try OpenAttachment.all(of: request.content)
        } catch {
            // Through the queue, too: who the app is may be wrong, and that is the first error.
            return perform(
                stores: true, { _ throws(NotificationError) in throw error },
                completion: completion)
        }
        perform(
            stores: true,
            { [temporary] connected throws(NotificationError) in
                try await connected.service.add(
                    model, attachments: files.map(\.file), for: connected.application)
                for file in files { file.removeOriginal(in: temporary) }
            }, completion: completion)
    }

    /// Gives the requests that wait, in the order in which they will fire.
    @preconcurrency
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        get(Self.pending) { completionHandler($0.map { UNNotificationRequest($0.request) }) }
    }

    /// The requests that wait, in the order in which they will fire.
    public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        await get(Self.pending).map { UNNotificationRequest($0.request) }
    }

    private static var pending: Read<[PendingNotification]> {
        Read("Listing the pending requests", otherwise: []) {
            connected throws(NotificationError) in
            try await connected.service.pending(of: connected.application)
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
        get(Self.delivered) { completionHandler($0.map { UNNotification($0) }) }
    }

    /// The app's notifications that were not answered, dismissed or removed, newest first.
    public func deliveredNotifications() async -> [UNNotification] {
        await get(Self.delivered).map { UNNotification($0) }
    }

    private static var delivered: Read<[DeliveredNotification]> {
        Read("Listing the delivered notifications", otherwise: []) {
            connected throws(NotificationError) in
            try await connected.service.delivered(of: connected.application)
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
