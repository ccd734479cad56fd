internal import NotificationModel

extension UNUserNotificationCenter {
    /// Stores a request; it replaces a pending request of the same identifier.
    ///
    /// The handler gets nil when the request is on disk. After that, the request fires whether or
    /// not the app runs. The handler gets a ``UNError`` for a failure that Apple has a code for.
    /// For any other failure it gets a ``UNServiceError``. Examples: there is no session bus, the
    /// disk is full, the interval is not above zero, or the user info is no property list.
    @preconcurrency
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        call(inOrder: completionHandler != nil, addition(of: request)) { _, error in
            completionHandler?(error)
        }
    }

    /// Stores a request; it replaces a pending request of the same identifier.
    ///
    /// - Throws: The error that ``add(_:withCompletionHandler:)`` gives its handler.
    public func add(_ request: UNNotificationRequest) async throws {
        try await call(addition(of: request))
    }

    // Opens the files during the call, so that exactly these files are copied, even if the app
    // replaces them afterwards.
    private func addition(of request: UNNotificationRequest) -> Work<Void> {
        let model: NotificationRequest
        let files: [OpenAttachment]
        do {
            model = try request.request()
            files = try OpenAttachment.all(of: request.content)
        } catch {
            // The call throws this error only after connecting. If connecting fails too, for
            // example for an unusable app id, the call reports that failure instead.
            return { _ throws(NotificationError) in throw error }
        }
        return { [temporary] connected throws(NotificationError) in
            try await connected.service.add(
                model, attachments: files.map(\.file), for: connected.application)
            for file in files { file.removeOriginal(in: temporary) }
        }
    }

    /// Gives the handler the pending requests, in the order in which they will fire.
    @preconcurrency
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        get(Self.pending, completion: completionHandler)
    }

    /// The pending requests, in the order in which they will fire.
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

    /// Removes pending requests; an unknown identifier has no effect.
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        for part in Self.parts(of: identifiers) { removePending(.identifiers(part)) }
    }

    /// Removes all pending requests of the app.
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
    /// Gives the handler the app's delivered notifications, newest first.
    ///
    /// A notification leaves this list when the user responds to it or dismisses it, or when it is
    /// removed.
    @preconcurrency
    public func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        get(Self.delivered, completion: completionHandler)
    }

    /// The app's delivered notifications, newest first.
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

    /// Removes delivered notifications and their popups; an unknown identifier has no effect.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        for part in Self.parts(of: identifiers) { removeDelivered(.identifiers(part)) }
    }

    /// Removes all delivered notifications of the app, and their popups.
    public func removeAllDeliveredNotifications() {
        removeDelivered(.all)
    }

    private func removeDelivered(_ selection: NotificationSelection) {
        store("Removing delivered notifications") { connected throws(NotificationError) in
            try await connected.service.removeDelivered(selection, of: connected.application)
        }
    }

    /// Splits identifiers into one list for each call.
    ///
    /// The daemon's client would split a longer list, too, but then the app's next call could
    /// overtake the later parts. Identifiers that no request can have are left out: they could make
    /// the daemon refuse the call.
    private static func parts(of identifiers: [String]) -> [[String]] {
        NotificationSelection.parts(
            of: identifiers.filter {
                Limits.identifier.contains($0.utf8.count) && !$0.utf8.contains(0)
            })
    }
}
