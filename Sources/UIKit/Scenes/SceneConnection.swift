internal import Reactor
internal import UserNotifications

/// Connects the only scene of an app that has a class for the scene's delegate.
@MainActor
enum SceneConnection {
    /// Makes the scene and its delegate; the result is nil for an app without scenes.
    ///
    /// The app delegate's configuration names the class of the scene's delegate. If it names none,
    /// the class is `SceneDelegate`, as in Xcode's template, whose `Info.plist` is not read here.
    static func scene(
        of delegate: any UIApplicationDelegate, in application: UIApplication,
        startedBy item: UIApplicationShortcutItem?, or response: UNNotificationResponse?
    ) -> UIWindowScene? {
        let session = UISceneSession(role: .windowApplication)
        let options = UIScene.ConnectionOptions()
        options.startingItem = item
        options.startingResponse = response
        session.configuration = delegate.application(
            application, configurationForConnecting: session, options: options)
        let named: AnyClass? =
            session.configuration.delegateClass ?? usualClass(beside: delegate)
        guard let named, let made = sceneDelegate(of: named) else { return nil }
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

    /// The class `SceneDelegate` of the app's module; nil if it is no delegate of a scene.
    static func usualClass(beside delegate: any UIApplicationDelegate) -> AnyClass? {
        guard let type = ModuleClass.anyClass("SceneDelegate", beside: delegate),
            type is any UISceneDelegate.Type
        else { return nil }
        return type
    }

    /// Makes the scene's delegate; if it cannot be made, the result is nil, and a message says why.
    private static func sceneDelegate(of named: AnyClass) -> (any UISceneDelegate)? {
        guard let type = named as? UIResponder.Type else {
            UIApplication.logMessage(
                "The app has no scene, because its \(named) is not a UIResponder. Make the class "
                    + "a subclass of UIResponder.")
            return nil
        }
        guard let made = type.init(coder: EmptyCoder()) as? any UISceneDelegate else {
            UIApplication.logMessage(
                "The app has no scene, because its delegate \(type) could not be made. Let the "
                    + "class conform to UISceneDelegate, and return an object in init(coder:).")
            return nil
        }
        return made
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
