import UIKit

// An app for tests of `UIApplicationMain` and of a program's end; both need a separate process.
//
// - `plain`: launches and runs.
// - `missing`: names a delegate that does not exist.
// - `task`: begins a background task, which ends once the app is in the background.
// - `expire`: begins a background task, which never ends.
// - `alert`, `alert-text`: presents an alert, and prints what the user chose and typed.
// - `scene`: names the class of its scene's delegate in the configuration of the scene only.
// - `no-scene`: does so too, and the class is no responder.
// - `hang`: blocks the main thread until a signal has arrived, and then for ever.
// - `queue`: starts the app on the main queue, which another thread serves, as after an `await` of
//   an async `main()`.

// A probe that hangs must not hang the tests.
alarm(120)
let mode = CommandLine.arguments.dropFirst().first ?? "plain"
let name = mode == "missing" ? "UIKitProbe.Nobody" : NSStringFromClass(ProbeDelegate.self)
if mode == "queue" {
    Task { @MainActor in startApplication() }
    dispatchMain()
}
startApplication()

@MainActor func startApplication() {
    UIApplicationMain(
        CommandLine.argc, CommandLine.unsafeArgv, NSStringFromClass(ProbeApplication.self), name)
}

/// Prints a line without a buffer: the test reads it while the program runs.
func report(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

final class ProbeApplication: UIApplication {}

final class ProbeDelegate: UIResponder, UIApplicationDelegate {
    private var task = UIBackgroundTaskIdentifier.invalid
    private let page = UIViewController()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if mode == "task" || mode == "expire" {
            task = application.beginBackgroundTask(withName: mode) { report("expired") }
        }
        report(
            "launched by \(type(of: application)), shared \(application === UIApplication.shared)")
        guard mode == "hang" else { return true }
        // Wait for the first signal, which restores the default effect of the next signal.
        var action = sigaction()
        repeat {
            sched_yield()
            sigaction(SIGTERM, nil, &action)
        } while action.__sigaction_handler.sa_handler != nil
        report("signalled")
        while true { pause() }
    }

    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(
            name: nil, sessionRole: connectingSceneSession.role)
        if mode == "scene" { configuration.delegateClass = NamedSceneDelegate.self }
        if mode == "no-scene" { configuration.delegateClass = PlainSceneDelegate.self }
        return configuration
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        guard mode.hasPrefix("alert") else { return }
        let alert = UIAlertController(
            title: "新名字", message: "Rename the list?", preferredStyle: .alert)
        if mode == "alert-text" {
            alert.addTextField {
                $0.placeholder = "Name"
                $0.text = "old"
            }
        }
        for (title, style) in [("不改", UIAlertAction.Style.cancel), ("改名", .default)] {
            alert.addAction(
                UIAlertAction(title: title, style: style) { action in
                    let texts = (alert.textFields ?? []).map { $0.text ?? "" }
                    report("chosen \(action.title ?? ""): \(texts)")
                })
        }
        page.present(alert, animated: true)
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        report("background")
        guard mode == "task" else { return }
        DispatchQueue.main.async {
            report("task ends")
            application.endBackgroundTask(self.task)
        }
    }

    func applicationWillTerminate(_ application: UIApplication) {
        report("willTerminate")
    }
}

/// A scene's delegate that cannot be made on Linux: it is no responder, so it has no `init(coder:)`.
final class SceneDelegate: NSObject, UIWindowSceneDelegate {}

final class PlainSceneDelegate: NSObject, UIWindowSceneDelegate {}

final class NamedSceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        report("scene connects")
    }

    func sceneDidDisconnect(_ scene: UIScene) { report("scene disconnects") }
}
