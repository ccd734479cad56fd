import NotificationModel

/// The question whether an app may notify, as a popup and as a dialog; pure.
enum PermissionPrompt {
    /// No request has this identifier, because identifiers of requests have at least one byte.
    static let identifier = ""
    static let allow = "allow"
    static let deny = "deny"
    /// The timeout of the question, in microseconds.
    static let timeout: Int64 = 60_000_000

    private static let category = NotificationCategory(
        identifier: "permission",
        actions: [
            NotificationAction(identifier: allow, title: "Allow"),
            NotificationAction(identifier: deny, title: "Don\u{2019}t Allow"),
        ])

    static func key(of app: ApplicationID) -> NotificationKey {
        NotificationKey(app: app, identifier: identifier)
    }

    static func popup(
        _ application: ApplicationIdentity, token: UInt64, at date: Instant
    ) -> Presentation {
        var content = NotificationContent(title: title(application), body: text(application))
        content.desktop = DesktopOptions()
        // The server's own timeout is shorter. With this one the popup stays as long as the
        // question.
        content.desktop?.expireTimeout = Int32(timeout / 1_000)
        return Presentation(
            token: token,
            notification: DeliveredNotification(
                app: application.id,
                request: NotificationRequest(identifier: identifier, content: content), date: date),
            application: application, category: category, options: [.banner, .list],
            isQuestion: true)
    }

    static func dialog(_ application: ApplicationIdentity) -> Dialog {
        Dialog(
            .choice(accept: "Allow", refuse: "Don\u{2019}t Allow"), title: name(application),
            text: "\(title(application)).\n\(text(application))")
    }

    private static func name(_ application: ApplicationIdentity) -> String {
        application.name.isEmpty ? application.id.rawValue : application.name
    }

    private static func title(_ application: ApplicationIdentity) -> String {
        "\(name(application)) would like to send you notifications"
    }

    private static func text(_ application: ApplicationIdentity) -> String {
        application.usageDescription.isEmpty
            ? "Notifications may include alerts, sounds and icon badges."
            : application.usageDescription
    }
}

/// The open question whether an app may notify; an app has at most one.
struct PermissionQuestion: Hashable {
    /// The progress of a question.
    enum Stage: Hashable {
        /// The server is asked whether it draws buttons.
        case inspecting
        /// A popup is on the screen, or on its way there.
        case popup
        /// A dialog is on the screen, or on its way there.
        case dialog
        /// The user's answer is on its way to the disk.
        case saving
    }

    /// A call that waits for the answer.
    struct Waiter: Hashable {
        var number: UInt64
        var options: Permission.Options
    }

    /// Identifies this question; a later one of the same app has another token.
    var token: UInt64
    var stage: Stage
    /// The time at which the question is given up, on the boot-time clock in microseconds.
    var deadline: Int64
    var waiters: [Waiter]

    /// The options of all waiting calls.
    var options: Permission.Options {
        let all = waiters.reduce(into: Permission.Options()) { $0.formUnion($1.options) }
        return all.subtracting(.provisional)
    }

    /// The deadline; nil while an answer is being stored.
    var alarm: Int64? { stage == .saving ? nil : deadline }
}
