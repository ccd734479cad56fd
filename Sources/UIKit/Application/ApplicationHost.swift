internal import Dispatch
internal import NotificationModel
internal import NotificationRuntime
internal import Reactor
internal import UserNotifications

/// Runs an app's life cycle: receives the desktop's events, and calls the delegate.
///
/// It owns the `LifeCycleMachine`, which decides the steps. It also owns the steps that still wait
/// to be performed.
///
/// It promises that one step ends before the next one begins, even if the delegate changes the
/// state while it is called.
@MainActor
final class ApplicationHost {
    /// The value of `UIApplication.applicationState`.
    private(set) var state = UIApplication.State.inactive
    var windowState: UIApplication.State? {
        didSet { record(.reported(windowState)) }
    }

    unowned let application: UIApplication
    private var machine = LifeCycleMachine()
    private var waiting: [LifeCycleMachine.Effect] = []
    private var isPerforming = false
    private var signals: TerminationSignals?
    var launchWait = LaunchWait()
    /// The response to a notification that started the app.
    var launchResponse: UNNotificationResponse?
    var isStarted = false

    init(_ application: UIApplication) {
        self.application = application
        application.background.tasksEnded = { [weak self] in self?.record(.tasksEnded) }
    }

    /// Launches the app: calls the delegate, shows the window, then sets the state.
    ///
    /// `choice` is the quick action that started the app, if one did.
    func launch(by choice: QuickActionChoice? = nil) {
        listenToSignals()
        followDesktop()
        let item = choice.flatMap(application.shortcutItem)
        guard let delegate = application.delegate else {
            UIApplication.logMessage(
                "The app runs without a delegate. Put @main on a class that conforms to "
                    + "UIApplicationDelegate.")
            post(UIApplication.didFinishLaunchingNotification)
            return finishLaunch()
        }
        // As on Apple's platforms, a scene gets the quick action in its connection options. The app
        // delegate names another class for the scene only after the launch.
        let expectsScene = SceneConnection.usualClass(beside: delegate) is UIResponder.Type
        let options = expectsScene ? nil : launchOptions(item)
        let mayPerform = [
            delegate.application(application, willFinishLaunchingWithOptions: options),
            delegate.application(application, didFinishLaunchingWithOptions: options),
        ].allSatisfy(\.self)
        post(UIApplication.didFinishLaunchingNotification)
        showWindow(of: delegate, startedBy: item)
        // A scene already has the item. Without a scene, the app's delegate performs it.
        if let item, mayPerform, application.connectedScenes.isEmpty { perform(item) }
        finishLaunch()
    }

    // As on Apple's platforms, the app is still inactive while the centre's delegate gets the
    // response that started the app. By this state, apps distinguish it from a later response.
    private func finishLaunch() {
        application.surroundings.center().resumeDelegateCalls()
        record(.launched)
    }

    private func launchOptions(
        _ item: UIApplicationShortcutItem?
    ) -> [UIApplication.LaunchOptionsKey: Any]? {
        var options: [UIApplication.LaunchOptionsKey: Any] = [:]
        options[.shortcutItem] = item
        let request = launchResponse?.notification.request
        if let request, request.trigger is UNPushNotificationTrigger {
            options[.remoteNotification] = request.content.userInfo
        }
        return options.isEmpty ? nil : options
    }

    private func showWindow(
        of delegate: any UIApplicationDelegate, startedBy item: UIApplicationShortcutItem?
    ) {
        let scene = SceneConnection.scene(
            of: delegate, in: application, startedBy: item, or: launchResponse)
        guard let scene else { return InitialViewController.showWindow(of: delegate) }
        record(.sceneConnected)
        if let windows = scene.delegate as? any UIWindowSceneDelegate {
            InitialViewController.showWindow(of: windows)
        }
    }

    /// Records an event; its steps run after all steps that are already waiting.
    func record(_ event: LifeCycleMachine.Event) {
        waiting += machine.handle(event)
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while !waiting.isEmpty { perform(waiting.removeFirst()) }
    }

    private func listenToSignals() {
        guard application.surroundings.listensToSignals, signals == nil else { return }
        do throws(SystemFailure) {
            signals = try TerminationSignals(on: .main) { [weak self] _ in
                MainActor.assumeIsolated { self?.requestTermination() }
            }
        } catch {
            UIApplication.logMessage(
                "SIGTERM, SIGINT and SIGHUP will not call the delegate: \(error)")
        }
    }

    func requestTermination() {
        record(.terminationRequested)
    }

    private func followDesktop() {
        let desktop = application.surroundings.desktop
        // Use the main queue: separate tasks would not keep the order of the events.
        let listener: @Sendable (AppDesktopEvent) -> Void = { [weak self] event in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.handle(event) } }
        }
        Task.detached { await desktop.follow(listener) }
    }

    private func handle(_ event: AppDesktopEvent) {
        switch event {
        case .lockChanged(let isLocked): record(.lockChanged(isLocked: isLocked))
        case .sleepBegins: application.background.expireAll()
        // Deadlines may have passed while the machine slept.
        case .sleepEnded: application.background.expireDue()
        }
    }

    private func perform(_ effect: LifeCycleMachine.Effect) {
        switch effect {
        case .become(let state): enter(state)
        case .willEnterForeground:
            call(
                { $0.applicationWillEnterForeground($1) }, { $0.sceneWillEnterForeground($1) },
                UIScene.willEnterForegroundNotification)
            post(UIApplication.willEnterForegroundNotification)
        case .didBecomeActive:
            call(
                { $0.applicationDidBecomeActive($1) }, { $0.sceneDidBecomeActive($1) },
                UIScene.didActivateNotification)
            post(UIApplication.didBecomeActiveNotification)
        case .willResignActive:
            call(
                { $0.applicationWillResignActive($1) }, { $0.sceneWillResignActive($1) },
                UIScene.willDeactivateNotification)
            post(UIApplication.willResignActiveNotification)
        case .didEnterBackground:
            call(
                { $0.applicationDidEnterBackground($1) }, { $0.sceneDidEnterBackground($1) },
                UIScene.didEnterBackgroundNotification)
            post(UIApplication.didEnterBackgroundNotification)
        case .setCenterActivity(let isActive):
            application.surroundings.center().isApplicationActive = isActive
        case .limitBackgroundTime:
            application.background.limit()
            // Check this only now: the delegate may begin a task as the app enters the background.
            if !application.background.hasTasks { record(.tasksEnded) }
        case .willTerminate:
            for scene in application.connectedScenes {
                scene.delegate?.sceneDidDisconnect(scene)
                scene.post(UIScene.didDisconnectNotification)
            }
            application.delegate?.applicationWillTerminate(application)
            post(UIApplication.willTerminateNotification)
        case .exit:
            application.surroundings.endProcess(0)
        }
    }

    /// Calls the scenes' delegates and posts the scenes' notification.
    ///
    /// Without scenes it calls the app's delegate, as on Apple's platforms.
    private func call(
        _ app: (any UIApplicationDelegate, UIApplication) -> Void,
        _ scene: (any UISceneDelegate, UIScene) -> Void, _ notification: Notification.Name
    ) {
        guard application.connectedScenes.isEmpty else {
            for part in application.connectedScenes {
                part.delegate.map { scene($0, part) }
                part.post(notification)
            }
            return
        }
        application.delegate.map { app($0, application) }
    }

    func perform(_ item: UIApplicationShortcutItem) {
        let scene = application.connectedScenes.first as? UIWindowScene
        if let scene, let delegate = scene.delegate as? any UIWindowSceneDelegate {
            delegate.windowScene(scene, performActionFor: item) { _ in }
        } else {
            application.delegate?.application(application, performActionFor: item) { _ in }
        }
    }

    private func enter(_ next: UIApplication.State) {
        let wasInBackground = state == .background
        state = next
        if next == .background {
            application.background.enterBackground()
        } else if wasInBackground {
            application.background.enterForeground()
        }
    }

    private func post(_ name: Notification.Name) {
        NotificationCenter.default.post(name: name, object: application)
    }
}
