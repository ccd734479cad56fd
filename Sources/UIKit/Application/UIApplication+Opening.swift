internal import NotificationModel
internal import NotificationRuntime
internal import UserNotifications

extension UIApplication {
    /// The address that opens the app's settings: the desktop's page about its notifications.
    public static let openSettingsURLString = "app-settings:"

    /// The address that opens the desktop's page about the app's notifications.
    public static let openNotificationSettingsURLString = "app-settings:notifications"

    /// Whether an installed app opens addresses of this scheme.
    ///
    /// The answer about the app's settings is always true; opening them may fail, because not every
    /// desktop has such a page.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uiapplication/canopenurl(_:)
    public func canOpenURL(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased() else { return false }
        return Self.isSettings(url) || surroundings.desktop.canOpen(scheme: scheme)
    }

    /// Opens an address in the app that the user has chosen for it.
    ///
    /// The handler gets true once the desktop's program for that has started, or its page of
    /// settings. A failure is also a line on standard error, with its reason and its remedy.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uiapplication/open(_:options:completionhandler:)
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        Task {
            let isOpen = await openAddress(url)
            completion?(isOpen)
        }
    }

    /// Opens an address in the app that the user has chosen for it; returns whether it could.
    @discardableResult
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]
    ) async -> Bool {
        await openAddress(url)
    }

    /// Opens an address in the app that the user has chosen for it; the older form.
    ///
    /// It returns true for every scheme that an installed app opens.
    @available(*, deprecated, renamed: "open(_:options:completionHandler:)")
    @discardableResult
    public func openURL(_ url: URL) -> Bool {
        guard canOpenURL(url) else { return false }
        open(url, options: [:], completionHandler: nil)
        return true
    }

    private func openAddress(_ url: URL) async -> Bool {
        do {
            if Self.isSettings(url) {
                try await surroundings.center().openNotificationSettings()
            } else {
                try surroundings.desktop.open(url.absoluteString)
            }
            return true
        } catch let error as NotificationError {
            Self.logMessage(error.message)
        } catch {
            Self.logMessage(error.localizedDescription)
        }
        return false
    }

    private static func isSettings(_ url: URL) -> Bool {
        url.scheme?.lowercased() == "app-settings"
    }
}
