import UIKit
import UserNotifications

/// An app with quick actions, which a launcher of the desktop starts.
///
/// It writes lines to the pipe that `PROBE_REPORT` names: its start with the starting action, each
/// performed action, and the outcome of the request that the action adds.
///
/// With `PROBE_SETS` the app sets dynamic actions. With `PROBE_HANDLES` it handles the starting
/// action in its launch method, which then returns false. With `PROBE_ID` it sets that id in code.
@main
final class ActionsProbe: UIResponder, UIApplicationDelegate {
    private let environment = ProcessInfo.processInfo.environment

    override init() {
        super.init()
        if let id = environment["PROBE_ID"] { UNUserNotificationCenter.applicationIdentifier = id }
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // A probe that hangs must not hang the tests.
        alarm(120)
        let item = launchOptions?[.shortcutItem] as? UIApplicationShortcutItem
        report("start \(item.map(text) ?? "-")")
        // The variable must not reach programs that this one starts.
        if getenv("TOCSIN_QUICK_ACTION") != nil { report("inherited") }
        if environment["PROBE_SETS"] != nil { setItems(of: application) }
        return environment["PROBE_HANDLES"] == nil
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        // Change the file before the report, because the test reads the file after the report.
        if shortcutItem.type == "org.example.quit" { application.shortcutItems = nil }
        report("perform \(text(shortcutItem))")
        let content = UNMutableNotificationContent()
        content.title = shortcutItem.localizedTitle
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 3_600, repeats: false)
        let request = UNNotificationRequest(
            identifier: shortcutItem.type, content: content, trigger: trigger)
        let report = report
        UNUserNotificationCenter.current().add(request) { error in
            report("added \(error?.localizedDescription ?? "")")
        }
        completionHandler(true)
    }

    private func setItems(of application: UIApplication) {
        let before = application.shortcutItems?.map(\.localizedTitle) ?? ["nil"]
        report("items \(before)")
        let people: [(String, NSNumber)] = [("Call \"Ann\"; rm -rf", 7), ("Call Bob %U", 8)]
        application.shortcutItems =
            people.map { name, number in
                UIApplicationShortcutItem(
                    type: "org.example.call", localizedTitle: name, localizedSubtitle: "mobile",
                    icon: UIApplicationShortcutIcon(type: .contact),
                    userInfo: ["number": number, "tags": ["a", "b"] as NSArray])
            } + [UIApplicationShortcutItem(type: "org.example.quit", localizedTitle: "Forget all")]
        report("set \(application.shortcutItems?.count ?? 0)")
    }

    private func text(_ item: UIApplicationShortcutItem) -> String {
        let number = item.userInfo?["number"] as? NSNumber
        let words = [
            item.type, item.localizedTitle, item.localizedSubtitle ?? "-",
            number.map { "\($0)" } ?? "-", item.activationToken ?? "-",
        ]
        return words.joined(separator: " | ")
    }

    private let report: @Sendable (String) -> Void = { line in
        let pipe = ProcessInfo.processInfo.environment["PROBE_REPORT"]
        let file = pipe.flatMap { FileHandle(forWritingAtPath: $0) } ?? .standardOutput
        file.write(Data((line + "\n").utf8))
    }
}

/// A class with the usual name that is no scene delegate, so the app delegate gets the actions.
final class SceneDelegate: UIResponder {}
