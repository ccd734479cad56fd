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
        perform { connected throws(NotificationError) in
            try Self.checkServer(try await connected.service.status().presenter)
        } completion: { result in
            switch result {
            case .success: completionHandler(true, nil)
            case .failure(let error): completionHandler(false, error.asUserNotificationsError)
            }
        }
    }

    /// Asks for permission to notify.
    ///
    /// On Linux it is granted where a notification server can be reached. Where none can, this
    /// throws an error that says what is missing.
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            requestAuthorization(options: options) { granted, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: granted)
                }
            }
        }
    }

    /// Gives what the notification server can do, and what the person allows.
    ///
    /// A setting that the server does not announce is `.notSupported`.
    public func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        read(
            "Reading the settings", otherwise: PresenterStatus(isAvailable: false),
            { connected throws(NotificationError) in
                try await connected.service.status().presenter
            }
        ) { presenter in
            completionHandler(UNNotificationSettings(values: SettingsValues(presenter)))
        }
    }

    /// What the notification server can do, and what the person allows.
    public func notificationSettings() async -> UNNotificationSettings {
        await withCheckedContinuation { continuation in
            getNotificationSettings { continuation.resume(returning: $0) }
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
