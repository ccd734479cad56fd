internal import Reactor
public import UserNotifications

/// A part of the app that has its own windows; on Linux an app has at most one.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiscene
@preconcurrency @MainActor
open class UIScene: UIResponder {
    /// The state of a scene.
    public enum ActivationState: Int, Sendable {
        /// Not connected to the app.
        case unattached = -1
        /// In front, and receiving events.
        case foregroundActive
        /// Visible, but not in front.
        case foregroundInactive
        /// Out of sight.
        case background
    }

    /// The circumstances in which a scene is made.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uiscene/connectionoptions
    @preconcurrency @MainActor
    open class ConnectionOptions: NSObject {
        /// The addresses to open; always empty on Linux.
        open var urlContexts: Set<UIOpenURLContext> { [] }
        /// The response to a notification that started the app; nil for any other start.
        ///
        /// The notification centre's delegate receives this response, too. If the bus starts the
        /// app (`DBusActivatable`), only the delegate receives it.
        open var notificationResponse: UNNotificationResponse? { startingResponse }
        /// The quick action that started the app; nil for any other start.
        open var shortcutItem: UIApplicationShortcutItem? { startingItem }
        var startingItem: UIApplicationShortcutItem?
        var startingResponse: UNNotificationResponse?
    }

    /// The app's scene, which any thread may read; nil for an app without a scene.
    nonisolated static let connected = Locked<UIScene?>(nil)

    /// The session of the scene.
    public let session: UISceneSession
    /// Receives the events of the scene's life; the scene retains it.
    open var delegate: (any UISceneDelegate)?
    /// The title.
    open var title: String?

    /// Makes a scene of a session.
    public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
    }

    /// Makes a scene of a new session; the archive is not read.
    public required convenience init?(coder: NSCoder) {
        self.init(
            session: UISceneSession(role: .windowApplication),
            connectionOptions: ConnectionOptions())
    }

    /// The state of the scene, which follows the state of the app.
    open var activationState: ActivationState {
        switch UIApplication.shared.applicationState {
        case .active: .foregroundActive
        case .inactive: .foregroundInactive
        case .background: .background
        }
    }
}

// A scene posts these notifications to `NotificationCenter.default`, after it has called its
// delegate.
extension UIScene {
    /// The scene is added to the app.
    nonisolated public static let willConnectNotification = Notification.Name(
        "UISceneWillConnectNotification")
    /// The scene leaves the app, which is about to end.
    nonisolated public static let didDisconnectNotification = Notification.Name(
        "UISceneDidDisconnectNotification")
    /// The scene is in front now.
    nonisolated public static let didActivateNotification = Notification.Name(
        "UISceneDidActivateNotification")
    /// The scene is about to leave the front.
    nonisolated public static let willDeactivateNotification = Notification.Name(
        "UISceneWillDeactivateNotification")
    /// The scene is about to come into sight, for the first time or again.
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UISceneWillEnterForegroundNotification")
    /// The scene is out of sight now.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UISceneDidEnterBackgroundNotification")

    func post(_ name: Notification.Name) {
        NotificationCenter.default.post(name: name, object: self)
    }
}

extension UNNotificationResponse {
    /// The scene that should react to the response; nil for an app without a scene.
    ///
    /// On Linux this is the app's only scene.
    ///
    /// Apple: https://developer.apple.com/documentation/usernotifications/unnotificationresponse/targetscene
    public var targetScene: UIScene? { UIScene.connected.withLock(\.self) }
}

/// A scene with windows.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiwindowscene
@preconcurrency @MainActor
open class UIWindowScene: UIScene {
    /// The visible windows of the app.
    open var windows: [UIWindow] { UIApplication.shared.windows }
    /// The window that receives events.
    open var keyWindow: UIWindow? { UIApplication.shared.keyWindow }
}

/// An address that a scene should open.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiopenurlcontext
@preconcurrency @MainActor
open class UIOpenURLContext: NSObject {
    /// The address.
    public let url: URL

    init(url: URL) {
        self.url = url
        super.init()
    }
}

/// The memory of a scene between its connections; on Linux it lasts as long as the process.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiscenesession
@preconcurrency @MainActor
open class UISceneSession: NSObject {
    /// The purpose of a scene.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// Makes a role.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Windows on the device's own screen.
        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// The purpose of the scene.
    public let role: Role
    /// The configuration that the delegate chose.
    open internal(set) var configuration: UISceneConfiguration
    /// The unique identifier of the session.
    public let persistentIdentifier = UUID().uuidString
    /// The app's own data.
    open var userInfo: [String: Any]?

    init(role: Role) {
        self.role = role
        configuration = UISceneConfiguration(name: nil, sessionRole: role)
        super.init()
    }
}

/// The classes of a scene.
///
/// Apple: https://developer.apple.com/documentation/uikit/uisceneconfiguration
@preconcurrency @MainActor
open class UISceneConfiguration: NSObject {
    /// The configuration's name in the `Info.plist`; that file is not read.
    public let name: String?
    /// The purpose of the scene.
    public let role: UISceneSession.Role
    /// The class of the scene's delegate; nil for `SceneDelegate` of the app's module.
    ///
    /// On Linux the class must be a subclass of ``UIResponder``. Otherwise the app has no scene, and
    /// a message says why.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uisceneconfiguration/delegateclass
    open var delegateClass: AnyClass?
    /// The class of the scene; without effect, because every scene is a ``UIWindowScene``.
    open var sceneClass: AnyClass?

    /// Makes a configuration.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}
