internal import Reactor
internal import UserNotifications

/// Connects the only scene of an app whose module has a class `SceneDelegate`.
@MainActor
enum SceneConnection {
    /// Makes the scene and its delegate; the result is nil for an app without scenes.
    ///
    /// Xcode's template names the class `SceneDelegate` in the `Info.plist`, which is not read on
    /// Linux. If the app delegate's configuration names another class, that class is used instead.
    static func scene(
        of delegate: any UIApplicationDelegate, in application: UIApplication,
        startedBy item: UIApplicationShortcutItem?, or response: UNNotificationResponse?
    ) -> UIWindowScene? {
        guard let type = delegateClass(beside: delegate) else {
            reportOtherClass(beside: delegate)
            return nil
        }
        let session = UISceneSession(role: .windowApplication)
        let options = UIScene.ConnectionOptions()
        options.startingItem = item
        options.startingResponse = response
        session.configuration = delegate.application(
            application, configurationForConnecting: session, options: options)
        let chosen = session.configuration.delegateClass as? UIResponder.Type ?? type
        guard let made = chosen.init(coder: EmptyCoder()) as? any UISceneDelegate else {
            UIApplication.logMessage(
                "The app has no scene, because its delegate \(chosen) could not be made. Let the "
                    + "class conform to UISceneDelegate, and return an object in init(coder:).")
            return nil
        }
        let scene = UIWindowScene(session: session, connectionOptions: options)
        scene.delegate = made
        // Set these before the call: the delegate may show its window, whose view controllers may
        // ask for the scene.
        UIScene.connected.withLock { $0 = scene }
        application.connectedScenes = [scene]
        made.scene(scene, willConnectTo: session, options: options)
        scene.post(UIScene.willConnectNotification)
        return scene
    }

    /// The class `SceneDelegate` of the app's module; nil if it is missing or unusable.
    static func delegateClass(beside delegate: any UIApplicationDelegate) -> UIResponder.Type? {
        guard let type = ModuleClass.named("SceneDelegate", beside: delegate),
            type is any UISceneDelegate.Type
        else { return nil }
        return type
    }

    /// Logs that a delegate of the usual name cannot be made, because its class is no responder.
    private static func reportOtherClass(beside delegate: any UIApplicationDelegate) {
        guard ModuleClass.anyClass("SceneDelegate", beside: delegate) is any UISceneDelegate.Type
        else { return }
        UIApplication.logMessage(
            "The app has no scene, because its SceneDelegate is not a UIResponder. Make the class "
                + "a subclass of UIResponder.")
    }
}

/// Finds a class of the app's module by the name that an `Info.plist` or a storyboard would give.
@MainActor
enum ModuleClass {
    static func named(_ name: String, beside object: any NSObjectProtocol) -> UIResponder.Type? {
        anyClass(name, beside: object) as? UIResponder.Type
    }

    static func anyClass(_ name: String, beside object: any NSObjectProtocol) -> AnyClass? {
        let own = String(reflecting: type(of: object))
        guard let module = own.split(separator: ".").first else { return nil }
        return NSClassFromString("\(module).\(name)")
    }
}
