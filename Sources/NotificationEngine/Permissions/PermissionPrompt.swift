import NotificationModel

/// The question whether an app may notify or know the location, as a popup and as a dialog; pure.
enum PermissionPrompt {
    static let allow = "allow"
    static let deny = "deny"
    /// The timeout of the question, in microseconds.
    static let timeout: Int64 = 60_000_000

    static func key(
        of app: ApplicationID, about subject: PermissionSubject = .notifications
    ) -> NotificationKey {
        NotificationKey(app: app, identifier: subject.identifier)
    }

    static func popup(
        _ application: ApplicationIdentity, about subject: PermissionSubject = .notifications,
        token: UInt64, at date: Instant, in words: PermissionWording
    ) -> Presentation {
        var content = NotificationContent(
            title: title(application, subject, words), body: text(application, subject, words))
        content.desktop = DesktopOptions()
        // The popup must stay as long as the question; the server's default timeout is shorter.
        content.desktop?.expireTimeout = Int32(timeout / 1_000)
        let category = NotificationCategory(
            identifier: "permission",
            actions: [
                NotificationAction(identifier: allow, title: words.allow),
                NotificationAction(identifier: deny, title: words.deny),
            ])
        return Presentation(
            token: token,
            notification: DeliveredNotification(
                app: application.id,
                request: NotificationRequest(identifier: subject.identifier, content: content),
                date: date),
            application: application, category: category, options: [.banner, .list],
            isQuestion: true)
    }

    static func dialog(
        _ application: ApplicationIdentity, about subject: PermissionSubject = .notifications,
        in words: PermissionWording
    ) -> Dialog {
        Dialog(
            .choice(accept: words.allow, refuse: words.deny), title: application.shownName,
            text: title(application, subject, words) + words.stop + "\n"
                + text(application, subject, words))
    }

    private static func title(
        _ application: ApplicationIdentity, _ subject: PermissionSubject, _ words: PermissionWording
    ) -> String {
        switch subject {
        case .notifications: words.notifications(application.shownName)
        case .location: words.location(application.shownName)
        }
    }

    private static func text(
        _ application: ApplicationIdentity, _ subject: PermissionSubject, _ words: PermissionWording
    ) -> String {
        switch subject {
        case .notifications:
            application.usageDescription.isEmpty
                ? words.notificationsText : application.usageDescription
        case .location:
            application.locationUsageDescription.isEmpty
                ? words.locationText : application.locationUsageDescription
        }
    }
}

/// An open question about an app; an app has at most one open question about a subject.
struct PermissionQuestion: Hashable {
    enum Stage: Hashable {
        /// The server is asked whether it draws buttons.
        case inspecting
        /// A popup asks the user, or waits behind the app's other popups.
        case popup
        /// A dialog asks the user.
        case dialog
        /// The store writes the user's answer, or a permission that needed no question.
        case saving
    }

    struct Waiter: Hashable {
        var number: UInt64
        var options: Permission.Options
    }

    /// Identifies this question; a later question of the same app has another token.
    var token: UInt64
    var stage: Stage
    /// The time at which the question times out, on CLOCK_MONOTONIC in microseconds.
    ///
    /// This clock stops during a suspend, so a suspend does not shorten the user's time.
    var deadline: Int64
    var waiters: [Waiter]

    /// The options of all waiting calls, without `provisional`.
    var options: Permission.Options {
        let all = waiters.reduce(into: Permission.Options()) { $0.formUnion($1.options) }
        return all.subtracting(.provisional)
    }

    var alarm: Int64? { stage == .saving ? nil : deadline }
}
