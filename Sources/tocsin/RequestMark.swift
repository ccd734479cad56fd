internal import NotificationModel

/// What tells the tool's own requests apart: their identifiers, and when they were made.
enum RequestMark {
    /// The key of the user info under which the tool keeps the time of its request, for `last`.
    static let created = "org.tocsin.created"

    // Crockford's base 32: no i, l, o or u, which are misread.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    /// Eight characters, the first a letter, so that none looks like a number of a list.
    static func newIdentifier() -> String {
        var text = String(alphabet[Int.random(in: 10..<alphabet.count)])
        for _ in 1..<8 { text.append(alphabet[Int.random(in: 0..<alphabet.count)]) }
        return text
    }

    /// The content that every request of the tool begins with.
    static func content(
        _ summary: String, _ body: String, at now: Instant
    ) -> NotificationContent {
        var content = NotificationContent(
            title: ArgumentText.cleaned(summary), body: ArgumentText.cleaned(body))
        content.userInfo[created] = .date(now)
        return content
    }

    /// When the tool made a request; nil for requests of others.
    static func creation(of request: NotificationRequest) -> Instant? {
        guard case .date(let instant) = request.content.userInfo[created] else { return nil }
        return instant
    }
}
