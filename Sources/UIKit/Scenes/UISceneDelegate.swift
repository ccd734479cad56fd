/// Receives the events of a scene's life; every requirement is optional.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiscenedelegate
@preconcurrency @MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene is added to the app; make its window here.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions)
    /// The scene leaves the app; called before the app ends.
    func sceneDidDisconnect(_ scene: UIScene)
    /// The scene is in front now.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// The scene is about to leave the front.
    func sceneWillResignActive(_ scene: UIScene)
    /// The scene is about to come into sight, for the first time or again.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// The scene is out of sight now.
    func sceneDidEnterBackground(_ scene: UIScene)
    /// Opens addresses; never called on Linux.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

// Swift has optional requirements only with Objective-C. These defaults replace them.
extension UISceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
    /// Does nothing.
    public func sceneDidDisconnect(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    /// Does nothing.
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
}

/// Receives the events of a scene with windows.
///
/// The method for quick actions has two forms; implement one form.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiwindowscenedelegate
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The main window of the scene.
    var window: UIWindow? { get set }
    /// Performs a quick action that the user has chosen in a menu of the desktop.
    ///
    /// The connection options contain the action that starts the app; this method does not get it.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void)
    /// Performs a quick action that the user has chosen in a menu of the desktop; the `async` form.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool
}

extension UIWindowSceneDelegate {
    /// Nil; a new value is ignored.
    public var window: UIWindow? {
        get { nil }
        set {}
    }

    /// Calls the `async` form.
    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        Task {
            completionHandler(
                await self.windowScene(windowScene, performActionFor: shortcutItem))
        }
    }

    /// Reports that nothing was done.
    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool { false }
}
