import UIKit
import UserNotifications

/// Follows an article about a first local notification: a UIKit app whose page schedules a
/// notification when it loads.
///
///     ShortNotice [SECONDS]     seconds until the notification, 30 if not given
///
/// The app prints each step of its life cycle. SIGTERM, SIGINT or SIGHUP ends the app.
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("didFinishLaunching")
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge]) {
            (accepted, error) in
            if !accepted { print("The user does not allow notifications.") }
        }
        return true
    }

    func applicationWillResignActive(_ application: UIApplication) { print("willResignActive") }

    func applicationDidEnterBackground(_ application: UIApplication) {
        print("didEnterBackground")
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        print("willEnterForeground")
    }

    func applicationDidBecomeActive(_ application: UIApplication) { print("didBecomeActive") }

    func applicationWillTerminate(_ application: UIApplication) { print("willTerminate") }
}
