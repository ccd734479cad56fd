internal import NotificationModel

/// The body of a popup.
///
/// The texts of a request are plain. For a server that reads markup, the texts are escaped.
///
/// Source: Desktop Notifications Specification 1.2, "Markup".
enum BodyMarkup {
    static func body(_ content: NotificationContent, for server: ServerInformation) -> String {
        guard server.capabilities.contains("body-markup") else {
            return lines(content).joined(separator: "\n")
        }
        return body(content)
    }

    static func body(_ content: NotificationContent) -> String {
        let subtitle = PlainText.line(content.subtitle)
        let text = MarkupEscaping.text(PlainText.body(content.body))
        if subtitle.isEmpty { return text }
        let heading = "<b>\(MarkupEscaping.text(subtitle))</b>"
        return text.isEmpty ? heading : heading + "\n" + text
    }

    static func lines(_ content: NotificationContent) -> [String] {
        [PlainText.line(content.subtitle), PlainText.body(content.body)].filter { !$0.isEmpty }
    }
}
