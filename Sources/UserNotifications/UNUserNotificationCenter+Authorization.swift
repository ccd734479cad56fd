internal import NotificationModel

extension UNUserNotificationCenter {
    /// Asks for permission to notify.
    ///
    /// On Linux it is granted where a notification server can be reached. Where none can, the
    /// handler gets false and an error that says what is missing.
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        authorize { [handlers] result in
            handlers.run {
                switch result {
                case .success: completionHandler(true, nil)
                case .failure(let error): completionHandler(false, error.asUserNotificationsError)
                }
            }
        }
    }

    /// Asks for permission to notify.
    ///
    /// On Linux it is granted where a notification server can be reached. Where none can, this
    /// throws an error that says what is missing.
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            authorize { result in
                continuation.resume(
                    with: result.map { true }.mapError(\.asUserNotificationsError))
            }
        }
    }

    private func authorize(
        completion: @escaping @Sendable (Result<Void, NotificationError>) -> Void
    ) {
        perform(
            { connected throws(NotificationError) in
                try Self.checkServer(try await connected.service.status().presenter)
            }, completion: completion)
    }

    /// Gives what the notification server can do, and what the person allows.
    ///
    /// A setting that the server does not announce is `.notSupported`.
    public func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        get(Self.presenter) {
            completionHandler(UNNotificationSettings(values: SettingsValues($0)))
        }
    }

    /// What the notification server can do, and what the person allows.
    public func notificationSettings() async -> UNNotificationSettings {
        UNNotificationSettings(values: SettingsValues(await get(Self.presenter)))
    }

    private static var presenter: Read<PresenterStatus> {
        Read("Reading the settings", otherwise: PresenterStatus(isAvailable: false)) {
            connected throws(NotificationError) in
            try await connected.service.status().presenter
        }
    }

    private static func checkServer(_ presenter: PresenterStatus) throws(NotificationError) {
        guard !presenter.isAvailable else { return }
        throw NotificationError(
            .noServer,
            "Permission to notify was requested, but no notification server is on the session bus. "
                + "Start the desktop's, or install one such as dunst or xfce4-notifyd.")
    }
}
