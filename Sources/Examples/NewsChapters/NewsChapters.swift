import UserNotifications

/// Follows a long article, a tutorial on notifications.
///
/// Each subcommand is in its own file.
///
///     NewsChapters permission         2   ask for permission, and report every setting
///     NewsChapters content [SEC]      4   a second title, a number on the icon
///     NewsChapters triggers           5   after an interval, at a date, at a place
///     NewsChapters manage             8   find, update and remove
///     NewsChapters foreground [SEC]   9   shown while the app is in front, or not
///     NewsChapters actions [SEC]      11  buttons, and a field for a comment
///     NewsChapters picture [SEC]      13  a picture from a file
///     NewsChapters service            12, 14  a pushed payload, changed before it is shown
///
/// The numbers are the article's chapters; `service` shows two of them. SEC is the number of
/// seconds after which the notification comes. The example ThirtySeconds shows chapters 3 and 10:
/// the first notification, and the data that a click returns.
@main
struct NewsChapters {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let chapter = arguments.isEmpty ? "" : arguments.removeFirst()
        let seconds = arguments.first.flatMap(Double.init)
        do {
            switch chapter {
            case "permission": try await Permission.run()
            case "content": try await Content.run(after: seconds ?? 30)
            case "triggers": try await Triggers.run()
            case "manage": try await Manage.run()
            case "foreground": try await Foreground.run(after: seconds ?? 5)
            case "actions": try await Actions.run(after: seconds ?? 5)
            case "picture": try await Picture.run(after: seconds ?? 5)
            case "service": try await Service.run()
            default:
                print(
                    "usage: NewsChapters permission|content|triggers|manage|foreground|actions"
                        + "|picture|service [SECONDS]")
                exit(64)
            }
        } catch {
            print("\(chapter): \(error.localizedDescription)")
            exit(1)
        }
        // Without `flush`, a response might come again at the next start.
        await UNUserNotificationCenter.current().flush()
    }

    /// Asks for permission; ends the program if the user refuses.
    static func askForPermission() async throws {
        let center = UNUserNotificationCenter.current()
        guard try await center.requestAuthorization(options: [.alert, .sound, .badge]) else {
            print("The user does not allow notifications.")
            exit(77)
        }
    }

    /// Adds a request that fires after this many seconds; nil to fire at once.
    static func add(
        _ identifier: String, _ content: UNNotificationContent, after seconds: TimeInterval?
    ) async throws {
        let trigger = seconds.map {
            UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: false)
        }
        try await UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    }
}
