/// The view controller that a storyboard would make.
@MainActor
enum InitialViewController {
    /// Shows the window of the app's delegate, after the app has launched.
    ///
    /// An Xcode project makes its first view controller from `Main.storyboard`, which names the
    /// class `ViewController` of the app's module. If the delegate made no window, this function
    /// makes a window with an object of that class. If the delegate has no property for a window,
    /// no window is shown.
    static func showWindow(of delegate: any UIApplicationDelegate) {
        if delegate.window == nil { delegate.window = window(for: delegate) }
        makeVisible(delegate.window)
    }

    static func showWindow(of delegate: any UIWindowSceneDelegate) {
        if delegate.window == nil { delegate.window = window(for: delegate) }
        makeVisible(delegate.window)
    }

    private static func makeVisible(_ window: UIWindow?) {
        guard let window, window.isHidden, window.rootViewController != nil else { return }
        window.makeKeyAndVisible()
    }

    private static func window(for delegate: any NSObjectProtocol) -> UIWindow? {
        let type = ModuleClass.named("ViewController", beside: delegate) as? UIViewController.Type
        guard let controller = type?.init(coder: EmptyCoder()) else { return nil }
        let window = UIWindow(frame: .zero)
        window.rootViewController = controller
        return window
    }
}
