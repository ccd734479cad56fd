/// Whether an app may notify, and what for: the person's answer, kept for the app.
///
/// An app without one is a plain client of the bus or a command of the shell, which may notify
/// without asking.
public struct Permission: Hashable, Sendable {
    /// What the person has decided; raw values are Apple's.
    public enum Status: Int, Hashable, Sendable, CaseIterable {
        /// Nobody was asked, or nobody answered.
        case notDetermined = 0
        /// The app may not notify.
        case denied = 1
        /// The app may notify.
        case authorized = 2
        /// The app may notify quietly: without a banner and without a sound.
        case provisional = 3
    }

    /// What an app asks permission for; raw values are Apple's.
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
        /// To have a button for the app's own settings.
        public static let providesAppNotificationSettings = Options(rawValue: 32)
        /// To notify quietly without asking.
        public static let provisional = Options(rawValue: 64)
        /// What an app can do on a desktop.
        public static let all: Options = [.badge, .sound, .alert]
    }

    /// What the person has decided.
    public var status: Status
    /// What the app asked for, over time.
    public var options: Options

    /// Makes a permission.
    public init(_ status: Status = .notDetermined, options: Options = []) {
        self.status = status
        self.options = options
    }

    /// Whether the app may add and show notifications.
    public var allows: Bool { status == .authorized || status == .provisional }
}
