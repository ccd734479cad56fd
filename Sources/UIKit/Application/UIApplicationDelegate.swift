/// Receives the events of the app's life; every requirement is optional.
///
/// If a method has two forms, implement one form.
///
/// Put `@main` on the class: its `main()` makes the delegate and runs the app. If the delegate is
/// not a ``UIResponder``, call ``UIApplication/run(_:)`` instead.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiapplicationdelegate
@preconcurrency @MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The app's main window.
    var window: UIWindow? { get set }

    /// The app is starting; called before `didFinishLaunching`.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The app has almost started; set the notification centre's delegate here.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The app has started; the older form, called if the form with options is not implemented.
    func applicationDidFinishLaunching(_ application: UIApplication)

    /// The app is in front now.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// The app is about to leave the front, because of a lock or the app's `windowState`.
    func applicationWillResignActive(_ application: UIApplication)
    /// The app is out of sight now.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// The app is about to come into sight again.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// The app is about to end, because of SIGTERM, SIGINT or SIGHUP; save unsaved data.
    func applicationWillTerminate(_ application: UIApplication)

    /// The configuration of the scene; called after the launch, also if the app then has no scene.
    ///
    /// The configuration names the class of the scene's delegate. If it names none, the class is
    /// `SceneDelegate` of the app's module. Without such a class, the app has no scene.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:configurationforconnecting:options:)
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
    /// The user has discarded scenes; never called on Linux.
    func application(
        _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

    /// Memory is scarce; never called on Linux.
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)
    /// The clock or the day has changed; never called on Linux.
    func applicationSignificantTimeChange(_ application: UIApplication)

    /// Opens an address; never called on Linux, where the desktop starts a program for it.
    func application(
        _ application: UIApplication, open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool
    /// Performs a quick action that the user has chosen in a menu of the desktop.
    ///
    /// The action that started the app is also in the launch options. If a launch method returns
    /// false, this method is not called for that action. In an app with a scene, the scene's
    /// delegate is called instead.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void)
    /// Performs a quick action that the user has chosen in a menu of the desktop; the `async` form.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool

    /// The app has a token for remote notifications, or its token has changed.
    ///
    /// On Linux the token is the JSON of a W3C PushSubscription; `UNPushSubscription` reads it.
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    /// The app gets no remote notifications; the error says what is missing.
    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error)
    /// A remote notification with `content-available` has arrived while the app runs.
    ///
    /// On Linux such a notification does not start an app. The app must have called
    /// `registerForRemoteNotifications()` in this run. The handler's result has no effect.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler:
            @escaping @Sendable (UIBackgroundFetchResult) -> Void)
    /// A remote notification with `content-available` has arrived; the `async` form.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult
    /// The app may fetch data in the background; never called on Linux.
    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler:
            @escaping @Sendable (UIBackgroundFetchResult) -> Void)
}

// Swift has optional requirements only with Objective-C. These defaults replace them.
extension UIApplicationDelegate {
    /// Nil; a new value is ignored.
    public var window: UIWindow? {
        get { nil }
        set {}
    }

    /// Returns true.
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Calls `applicationDidFinishLaunching`.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        applicationDidFinishLaunching(application)
        return true
    }

    /// Does nothing.
    public func applicationDidFinishLaunching(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationDidBecomeActive(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationWillResignActive(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationWillTerminate(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationSignificantTimeChange(_ application: UIApplication) {}

    /// Returns false.
    public func application(
        _ application: UIApplication, open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool { false }

    /// Calls the `async` form.
    public func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        Task {
            completionHandler(await self.application(application, performActionFor: shortcutItem))
        }
    }

    /// Reports that nothing was done.
    public func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool { false }

    /// Does nothing.
    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}
    /// Does nothing.
    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}

    /// Calls the `async` form.
    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler:
            @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        Task {
            completionHandler(
                await self.application(application, didReceiveRemoteNotification: userInfo))
        }
    }

    // `nonisolated(nonsending)`, so that the default runs on its caller's actor. In Swift 5 mode
    // any actor may call it. If it ran on the main actor, user info would change actors, and the
    // compiler would warn in every app, because user info is not Sendable.
    /// Reports that there is nothing new.
    nonisolated(nonsending) public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult { .noData }

    /// Reports that there is nothing new.
    public func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler:
            @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.noData) }

    /// Returns a configuration without classes.
    public func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { connectingSceneSession.configuration }

    /// Does nothing.
    public func application(
        _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
    ) {}

    /// Makes the delegate and runs the app; `@main` calls this method.
    ///
    /// If the delegate is not a ``UIResponder``, the program writes a message to standard error,
    /// and ends with status 70.
    public static func main() {
        let delegate = (Self.self as? UIResponder.Type)?.init(coder: EmptyCoder())
        guard let delegate = delegate as? any UIApplicationDelegate else {
            endProgram(
                "The delegate \(Self.self) is not made, because it is not a UIResponder. Make it a "
                    + "subclass, or call UIApplication.run(_:) in a main() of your own.")
        }
        UIApplication.run(delegate)
    }
}

/// The outcome of a fetch in the background.
///
/// Apple: https://developer.apple.com/documentation/uikit/uibackgroundfetchresult
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// There was something new.
    case newData
    /// There was nothing new.
    case noData
    /// The fetch failed.
    case failed
}
