internal import NotificationRuntime
internal import UserNotifications

/// The app: its life cycle on the desktop, its badge, and the addresses that it opens.
///
/// It owns the delegate and the background tasks. It lists the visible windows, but does not retain
/// them.
///
/// It promises to call the delegate on the main actor, with the states in Apple's order. While the
/// session is locked, the app is in the background. The app can report other states by
/// ``windowState``. SIGTERM, SIGINT and SIGHUP end the app after `applicationWillTerminate`.
///
/// It never draws anything: windows and views belong to a toolkit of the desktop.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiapplication
@preconcurrency @MainActor
open class UIApplication: UIResponder {
    private static var current: UIApplication?

    /// The app of this process.
    open class var shared: UIApplication { current ?? UIApplication() }

    /// Receives the events of the app's life; the app retains it.
    open var delegate: (any UIApplicationDelegate)?
    /// The quick actions that the app has set, in this process or an earlier one; empty by default.
    ///
    /// The menu of the app's icon shows first the actions that `tocsin register` has read from the
    /// `Info.plist`, and then these actions. On Linux the setter writes these actions:
    ///
    /// - into the desktop file that `tocsin register` wrote;
    /// - or into a copy of a package's desktop file, in the user's data directory;
    /// - nowhere if the app has no desktop file.
    ///
    /// A failure is written to standard error.
    open var shortcutItems: [UIApplicationShortcutItem]? {
        get { givenItems ?? readShortcutItems() }
        set {
            // Copy the items, because the app may change a mutable item later.
            let items = (newValue ?? []).map {
                $0.copy(with: nil) as? UIApplicationShortcutItem ?? $0
            }
            givenItems = items
            writeShortcutItems(items)
        }
    }
    /// Whether the display stays on while the app runs; stored without effect.
    open var isIdleTimerDisabled = false
    /// The visible windows, from back to front.
    ///
    /// The app does not retain its windows, as on Apple's platforms: a window is gone as soon as no
    /// other object retains it.
    open var windows: [UIWindow] { shownWindows.compactMap(\.window) }
    private var shownWindows: [ShownWindow] = []

    /// The scene of an app that has a class for the scene's delegate, such as `SceneDelegate`.
    ///
    /// It is connected before its delegate gets `scene(_:willConnectTo:options:)`.
    open internal(set) var connectedScenes: Set<UIScene> = []

    nonisolated let background: BackgroundTime
    package let surroundings: ApplicationSurroundings
    private(set) lazy var host = ApplicationHost(self)
    private(set) lazy var pushes = RemoteNotifications(self)
    private var givenItems: [UIApplicationShortcutItem]?

    /// Makes an app; the first app of a process is ``shared``.
    public override init() {
        surroundings = Self.givenSurroundings ?? .current()
        background = surroundings.backgroundTime()
        super.init()
        if Self.current == nil, Self.givenSurroundings == nil { Self.current = self }
    }

    /// The surroundings for the app that is being made; nil if it gets those of the process.
    ///
    /// No initialiser has this parameter: apps could not see such an initialiser, and their
    /// subclasses would then not inherit `init()`.
    private static var givenSurroundings: ApplicationSurroundings?

    /// Makes an app that is not shared, for tests.
    package static func make(in surroundings: ApplicationSurroundings) -> UIApplication {
        givenSurroundings = surroundings
        defer { givenSurroundings = nil }
        return UIApplication()
    }

    /// Launches the app with this delegate and runs it; it never returns.
    ///
    /// Only Linux has this method. It is for a delegate that the program makes itself:
    ///
    ///     UIApplication.run(AppDelegate())
    ///
    /// Call this method on the main thread, in a `main()` that is not `async`. On any other thread,
    /// the program writes a message to standard error, and ends with status 70.
    @available(*, noasync, message: "call it in a main() that is not async")
    public static func run(_ delegate: any UIApplicationDelegate) -> Never {
        let application = shared
        application.delegate = delegate
        application.run()
    }

    /// Launches the app, without serving the run loop.
    package func launch() { host.launch() }

    /// Launches the app as `run` does, without serving the run loop.
    package func start() { host.start() }

    /// Ends the app as SIGTERM does.
    package func requestTermination() { host.requestTermination() }

    func run() -> Never {
        // In an async main(), another thread serves the main queue. On that thread, the main loop
        // returns at once, so this method would block the main queue for ever.
        guard Thread.isMainThread else {
            endProgram(
                "The app does not run on the main thread, but it needs the main thread's loop. "
                    + "Start it in a main() that is not async.")
        }
        start()
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }

    /// The state of the app, as far as it is known.
    ///
    /// After the launch, the state is `.background` while the login session is locked. Otherwise
    /// the state is the value of ``windowState``, or `.active` if that value is nil.
    open var applicationState: State { host.state }

    /// The state of the windows, which the app reports; nil, the default, for an unknown state.
    ///
    /// Only Linux has this property, because no desktop tells a process whether one of its windows
    /// is in front. An app with windows sets this property. A change calls the delegate, and sets
    /// `UNUserNotificationCenter.isApplicationActive`.
    open var windowState: State? {
        get { host.windowState }
        set { host.windowState = newValue }
    }

    /// The visible window that receives events; nil if no such window is visible.
    open var keyWindow: UIWindow? { windows.last { $0.isKeyWindow } }

    /// The number on the app's icon; 0 if there is no number.
    ///
    /// On Linux the setter calls `UNUserNotificationCenter.setBadgeCount(_:)`. The getter asks the
    /// notification centre, because delivered notifications and an earlier run of the app set the
    /// number, too. If the centre does not answer within a second, the getter returns the last known
    /// number. Launchers that implement Unity's D-Bus interface show the number.
    open var applicationIconBadgeNumber: Int {
        get { surroundings.center().currentBadgeCount() }
        set {
            surroundings.center().setBadgeCount(max(0, newValue)) { error in
                guard let error else { return }
                Self.logMessage("The badge was not set: \(error.localizedDescription)")
            }
        }
    }

    /// Adds a window in front of the visible windows, or removes it from them.
    func setVisible(_ isVisible: Bool, _ window: UIWindow) {
        shownWindows.removeAll { $0.window == nil || $0.window === window }
        if isVisible { shownWindows.append(ShownWindow(window: window)) }
    }

    nonisolated static func logMessage(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data("UIKit: \(message)\n".utf8))
    }
}

/// A visible window, which only the app's own objects retain.
private struct ShownWindow {
    weak var window: UIWindow?
}

extension UIApplication {
    /// The state of an app.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uiapplication/state
    public enum State: Int, Sendable {
        /// In front, and receiving events.
        case active
        /// Visible, but not in front; also the state while the app starts.
        case inactive
        /// Out of sight.
        case background
    }

    /// A key of the options with which the app was started.
    ///
    /// On Linux the options contain the quick action that started the app, or the user info of the
    /// remote notification whose click started the app. For any other start, the options are nil.
    /// As on Apple's platforms, an app with a `SceneDelegate` finds the action in
    /// ``UIScene/ConnectionOptions`` only. If only the scene's configuration names the class of the
    /// scene's delegate, both options have the action. If a click on any notification started the app,
    /// `UNUserNotificationCenter.launchedForIdentifier` names the notification's request.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// Makes a key.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The address to open.
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The app that asked to open the address.
        public static let sourceApplication = Self(
            rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// The remote notification that started the app.
        public static let remoteNotification = Self(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// The local notification, in the form before iOS 10, that started the app.
        public static let localNotification = Self(
            rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
        /// The location change that started the app.
        public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
        /// The quick action that started the app.
        public static let shortcutItem = Self(
            rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
        /// The activity that started the app.
        public static let userActivityDictionary = Self(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
    }

    /// A key of the options with which the app is asked to open an address.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// Makes a key.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app that asked to open the address.
        public static let sourceApplication = Self(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        /// A value that the asking app added.
        public static let annotation = Self(
            rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        /// Whether the app must copy the file.
        public static let openInPlace = Self(
            rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// A key of the options with which the app opens an address in another app.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// Makes a key.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Whether only an app that claims the address may open it; without effect on Linux.
        public static let universalLinksOnly = Self(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }
}

// The app posts these notifications to `NotificationCenter.default`, and also calls its delegate.
extension UIApplication {
    /// The app has finished launching.
    nonisolated public static let didFinishLaunchingNotification = Notification.Name(
        "UIApplicationDidFinishLaunchingNotification")
    /// The app is in front now.
    nonisolated public static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    /// The app is about to leave the front.
    nonisolated public static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    /// The app is out of sight now.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    /// The app is about to come into sight again, or its scene comes into sight for the first time.
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    /// The app is about to end.
    nonisolated public static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification")
    /// Memory is scarce; never posted on Linux.
    nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name(
        "UIApplicationDidReceiveMemoryWarningNotification")
    /// The clock or the day has changed; never posted on Linux.
    nonisolated public static let significantTimeChangeNotification = Notification.Name(
        "UIApplicationSignificantTimeChangeNotification")
}
