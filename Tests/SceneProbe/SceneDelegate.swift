import UIKit
import UserNotifications

/// The delegate of the probe's scene, which UIKit finds by the name of this class.
///
/// Its lines go to standard output, or to the pipe `SCENE_REPORT` if the daemon starts the probe.
/// With the argument `respond` it notifies, and reports the scene of the response. With `page` its
/// first page reports the connected scenes. With `posts` it also reports each notification that
/// UIKit posts about the scene.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate, UNUserNotificationCenterDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        if CommandLine.arguments.contains("posts") { reportPosts(of: scene) }
        if let item = connectionOptions.shortcutItem { report("started by \(item.type)") }
        if let response = connectionOptions.notificationResponse {
            let identifier = response.notification.request.identifier
            report("started by \(response.actionIdentifier) of \(identifier)")
        }
        window = UIWindow(windowScene: windowScene)
        window?.rootViewController = ScenePage()
        window?.makeKeyAndVisible()
        guard CommandLine.arguments.contains("respond") else { return }
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        let content = UNMutableNotificationContent()
        content.title = "Scene"
        center.add(UNNotificationRequest(identifier: "scene", content: content, trigger: nil))
    }

    private func reportPosts(of scene: UIScene) {
        for name in [
            UIScene.willConnectNotification, UIScene.willEnterForegroundNotification,
            UIScene.didActivateNotification, UIScene.willDeactivateNotification,
            UIScene.didEnterBackgroundNotification, UIScene.didDisconnectNotification,
        ] {
            _ = NotificationCenter.default.addObserver(forName: name, object: scene, queue: nil) {
                report("posted \($0.name.rawValue)")
            }
        }
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        report("response in \(response.targetScene is UIWindowScene ? "the scene" : "no scene")")
        completionHandler()
    }

    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        report("scene performs \(shortcutItem.type)")
        completionHandler(true)
    }

    func sceneDidDisconnect(_ scene: UIScene) { report("sceneDidDisconnect") }
    func sceneDidBecomeActive(_ scene: UIScene) { report("sceneDidBecomeActive") }
    func sceneWillResignActive(_ scene: UIScene) { report("sceneWillResignActive") }
    func sceneWillEnterForeground(_ scene: UIScene) { report("sceneWillEnterForeground") }
    func sceneDidEnterBackground(_ scene: UIScene) { report("sceneDidEnterBackground") }
}

private final class ScenePage: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        report("viewDidLoad")
        guard CommandLine.arguments.contains("page") else { return }
        report("connected scenes: \(UIApplication.shared.connectedScenes.count)")
    }
}

/// Prints a line without a buffer: the test reads it while the program runs.
func report(_ line: String) {
    let pipe = ProcessInfo.processInfo.environment["SCENE_REPORT"]
    let file = pipe.flatMap { FileHandle(forWritingAtPath: $0) } ?? .standardOutput
    file.write(Data((line + "\n").utf8))
}
