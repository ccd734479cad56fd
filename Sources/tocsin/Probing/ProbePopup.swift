internal import Freedesktop
internal import NotificationModel

/// A popup by which a server is probed: what the centre would send it; pure.
struct ProbePopup {
    static let appName = "Tocsin Probe"
    /// The picture: a square of one colour.
    private static let side = 64
    private static let colour: [UInt8] = [0xFF, 0x00, 0xFE, 0xFF]

    var title: String
    var body = ""
    var subtitle = ""
    /// The labels of its buttons.
    var buttons: [String] = []
    /// Whether a picture is attached.
    var hasPicture = false
    /// Whether a button takes text.
    var takesText = false
    /// Milliseconds until it leaves, 0 for never.
    var timeout: Int32 = 0

    init(_ title: String) {
        self.title = title
    }

    /// The key of a button.
    static func key(_ label: String) -> String { "action." + label }

    /// What is sent.
    func arguments(for server: ServerInformation, replacing id: UInt32 = 0) -> NotifyArguments {
        var content = NotificationContent(title: title, body: body)
        content.subtitle = subtitle
        let identity = ApplicationIdentity(
            id: .tocsin, name: Self.appName, icon: "dialog-information")
        var actions = buttons.map { NotificationAction(identifier: $0, title: $0) }
        if takesText {
            let field = NotificationAction.TextInput(buttonTitle: "Send", placeholder: "hello")
            actions.append(
                NotificationAction(identifier: "Reply", title: "Reply", textInput: field))
        }
        var presentation = Presentation(
            token: 0,
            notification: DeliveredNotification(
                app: .tocsin,
                request: NotificationRequest(identifier: title, content: content),
                date: Instant(microseconds: 0)),
            application: identity,
            category: NotificationCategory(identifier: "probe", actions: actions))
        if hasPicture {
            let pixels = (0..<Self.side * Self.side).flatMap { _ in Self.colour }
            presentation.picture = Picture(width: Self.side, height: Self.side, bytes: pixels)
        }
        var arguments = NotifyArguments(presentation, for: server, replacing: id)
        arguments.expireTimeout = timeout
        return arguments
    }
}
