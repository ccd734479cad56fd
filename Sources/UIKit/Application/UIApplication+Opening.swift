internal import NotificationModel
internal import NotificationRuntime
internal import UserNotifications

extension UIApplication {
    /// The address of the app's settings; it opens the desktop's page about notifications.
    nonisolated public static let openSettingsURLString = "app-settings:"

    /// The address that opens the desktop's page about the app's notifications.
    nonisolated public static let openNotificationSettingsURLString =
        "app-settings:notifications"

    /// Whether an installed app opens addresses of this scheme.
    ///
    /// For the address of the app's settings the result is always true. Still, opening the settings
    /// may fail, because not every desktop has a page about notifications.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uiapplication/canopenurl(_:)
    public func canOpenURL(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased() else { return false }
        return Self.isSettings(url) || surroundings.desktop.canOpen(scheme: scheme)
    }

    /// Opens an address in the app that the user has chosen for it.
    ///
    /// The handler gets true when the program that opens the address, or shows the settings, has
    /// started. A failure is also written to standard error, with its reason and a remedy.
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

    /// Opens an address in the app that the user has chosen for it; returns whether that succeeded.
    @discardableResult
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]
    ) async -> Bool {
        await openAddress(url)
    }

    /// Opens an address in the app that the user has chosen for it; the older form.
    ///
    /// It returns the value of `canOpenURL`, and does not wait until the address is open.
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
