import DesktopBus
import Freedesktop
import NotificationModel
import Testing

/// Values that the tests present.
enum Samples {
    static func app(_ id: String = "org.example.App") throws -> ApplicationIdentity {
        ApplicationIdentity(
            id: try ApplicationID(id), name: "Example", icon: "example", hasDesktopEntry: true)
    }

    static func presentation(
        _ identifier: String = "one", app: String = "org.example.App", token: UInt64 = 1,
        trigger: NotificationTrigger? = nil, category: NotificationCategory? = nil,
        options: PresentationOptions = .all, content: NotificationContent? = nil
    ) throws -> Presentation {
        let application = try Self.app(app)
        return Presentation(
            token: token,
            notification: DeliveredNotification(
                app: application.id,
                request: NotificationRequest(
                    identifier: identifier,
                    content: content ?? NotificationContent(title: identifier, body: "Text"),
                    trigger: trigger),
                date: Instant(microseconds: 0)),
            application: application, category: category, options: options)
    }

    static func key(
        _ identifier: String = "one", app: String = "org.example.App"
    ) throws -> NotificationKey {
        NotificationKey(app: try ApplicationID(app), identifier: identifier)
    }

    static func server(
        _ name: String = "", _ capabilities: Set<String> = ["actions", "body", "body-markup"],
        version: String = ""
    ) -> ServerInformation {
        ServerInformation(name: name, version: version, capabilities: capabilities)
    }

    /// A category of three buttons: one is destructive, and one has a text field.
    static let category = NotificationCategory(
        identifier: "mail",
        actions: [
            NotificationAction(identifier: "delete", title: "Delete", options: .destructive),
            NotificationAction(identifier: "archive", title: "Archive"),
            NotificationAction(
                identifier: "answer", title: "Answer",
                textInput: .init(buttonTitle: "Send", placeholder: "Your answer")),
        ])
}

extension NotificationContent {
    /// Content that a closure completes.
    static func with(_ change: (inout NotificationContent) -> Void) -> NotificationContent {
        var content = NotificationContent(title: "Title", body: "Text")
        change(&content)
        return content
    }
}
