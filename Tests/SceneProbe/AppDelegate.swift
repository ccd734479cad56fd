import UIKit

/// An app in the form of Xcode's template since iOS 13, whose scene has the window.
///
/// With the argument `no-scene` the delegate of its scene cannot be made.
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // A probe that hangs must not hang the tests.
        alarm(120)
        return true
    }

    // MARK: UISceneSession Lifecycle

    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(
            name: "Default Configuration", sessionRole: connectingSceneSession.role)
        if CommandLine.arguments.contains("no-scene") {
            configuration.delegateClass = ImpossibleSceneDelegate.self
        }
        return configuration
    }

    func application(
        _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
    ) {}

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        report("app performs \(shortcutItem.type)")
        completionHandler(true)
    }
}

final class ImpossibleSceneDelegate: UIResponder, UISceneDelegate {
    required convenience init?(coder: NSCoder) { return nil }
}
