/// Whether an app may notify, and with which options: the user's decision, stored for the app.
///
/// An app without a stored permission is a plain client of the bus or a command of the shell. Such
/// an app may notify, and Tocsin never asks the user about it.
public struct Permission: Hashable, Sendable {
    /// The user's decision; raw values are Apple's.
    public enum Status: Int, Hashable, Sendable, CaseIterable {
        /// The app did not ask the user, or the user did not decide.
        case notDetermined = 0
        /// The app may not notify.
        case denied = 1
        /// The app may notify.
        case authorized = 2
        /// The app may notify quietly: without a banner and without a sound.
        case provisional = 3
    }

    /// The options that an app asks permission for; raw values are Apple's.
    public struct Options: OptionSet, Hashable, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Makes options of Apple's bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// To set the badge.
        public static let badge = Options(rawValue: 1)
        /// To play sounds.
        public static let sound = Options(rawValue: 2)
        /// To show banners.
        public static let alert = Options(rawValue: 4)
        /// To have critical notifications, which break through Do Not Disturb.
        public static let criticalAlert = Options(rawValue: 16)
        /// To have a button for the app's own settings.
        public static let providesAppNotificationSettings = Options(rawValue: 32)
        /// To notify quietly without asking.
        public static let provisional = Options(rawValue: 64)
        /// The options that an app gets without asking.
        public static let all: Options = [.badge, .sound, .alert]
    }

    /// The user's decision.
    public var status: Status
    /// All options that the app has asked for so far.
    public var options: Options
    /// Whether the app may know where the device is.
    public var location = LocationPermission.notDetermined

    /// Makes a permission.
    public init(_ status: Status = .notDetermined, options: Options = []) {
        self.status = status
        self.options = options
    }

    /// Whether the app may add and show notifications.
    public var allows: Bool { status == .authorized || status == .provisional }
}

/// Whether an app may know where the device is: the user's decision; raw values are Apple's.
public enum LocationPermission: Int, Hashable, Sendable, CaseIterable {
    /// The app did not ask the user, or the user did not decide.
    case notDetermined = 0
    /// The app may not know where the device is.
    case denied = 2
    /// The app may know where the device is; the app asked for access at any time.
    case always = 3
    /// The app may know where the device is; the app asked for access only while it is in use.
    case whenInUse = 4

    /// Whether the app may know where the device is.
    ///
    /// `always` and `whenInUse` give the same rights: with either value, a request that waits for a
    /// region fires, as on Apple's platforms. Only a running app gets places.
    public var allows: Bool { self == .always || self == .whenInUse }
}

/// A decision that the user makes in the settings, without a question from the app.
public enum PermissionDecision: String, Hashable, Sendable, CaseIterable {
    /// The app may notify.
    case allow
    /// The app may not notify.
    case deny
    /// The app must ask again, also for the location.
    case reset
    /// The app may know where the device is.
    case allowLocation
    /// The app may not know where the device is.
    case denyLocation

    /// Whether the decision is about notifications.
    package var isAboutNotifications: Bool { self != .allowLocation && self != .denyLocation }
}

/// An app that the notification centre knows, together with its permission, as lists show it.
public struct ApplicationPermission: Hashable, Sendable {
    /// The app.
    public var app: ApplicationID
    /// The app's name for the user; empty if the app never connected.
    public var name: String
    /// The app's permission.
    ///
    /// If the app never asked and the user never decided, this is nil, and the app may notify.
    public var permission: Permission?
    /// When the texts of the app's notifications are shown.
    public var previews: ShowPreviews

    /// Makes an entry.
    public init(
        app: ApplicationID, name: String = "", permission: Permission?,
        previews: ShowPreviews = .whenAuthenticated
    ) {
        self.app = app
        self.name = name
        self.permission = permission
        self.previews = previews
    }
}

/// An app's rights to notify, and the state of the server that shows its notifications.
public struct ApplicationSettings: Hashable, Sendable {
    /// The app's permission; nil for an app that needs none.
    public var permission: Permission?
    /// The notification server.
    public var presenter: PresenterStatus
    /// Whether something on the desktop draws the badge of this app.
    public var showsBadge: Bool
    /// Whether the notification centre plays the sounds that the server does not play.
    public var playsSounds = false
    /// The app's switch in the desktop's own settings; nil if the app has no switch.
    public var desktop: AppSwitch?
    /// When the texts of the app's notifications are shown.
    public var previews = ShowPreviews.whenAuthenticated

    /// Makes settings.
    public init(
        permission: Permission?, presenter: PresenterStatus, showsBadge: Bool = false,
        desktop: AppSwitch? = nil
    ) {
        self.permission = permission
        self.presenter = presenter
        self.showsBadge = showsBadge
        self.desktop = desktop
    }
}

/// When the texts of an app's notifications are shown; raw values are Apple's.
public enum ShowPreviews: Int, Hashable, Sendable, CaseIterable {
    /// Always.
    case always = 0
    /// While the session is unlocked.
    case whenAuthenticated = 1
    /// Never.
    case never = 2
}
