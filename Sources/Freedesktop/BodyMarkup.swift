internal import NotificationModel

/// The body of a popup: our texts are plain, so they are escaped where the server reads markup and
/// left alone where it does not.
///
/// Source: Desktop Notifications Specification 1.2, "Markup".
enum BodyMarkup {
    static func body(_ content: NotificationContent, for server: ServerInformation) -> String {
        guard server.capabilities.contains("body-markup") else {
            return lines(content).joined(separator: "\n")
        }
        return body(content)
    }

    /// With markup.
    static func body(_ content: NotificationContent) -> String {
        let subtitle = PlainText.line(content.subtitle)
        let text = escape(PlainText.body(content.body))
        if subtitle.isEmpty { return text }
        let heading = "<b>\(escape(subtitle))</b>"
        return text.isEmpty ? heading : heading + "\n" + text
    }

    /// The subtitle and the body as far as they are there, without markup.
    static func lines(_ content: NotificationContent) -> [String] {
        [PlainText.line(content.subtitle), PlainText.body(content.body)].filter { !$0.isEmpty }
    }

    /// The five entities of XML that every server knows; others would be escaped again.
    static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: { "&<>\"'".utf8.contains($0) }) else { return text }
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
