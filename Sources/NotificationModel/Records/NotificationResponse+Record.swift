extension NotificationResponse {
    package static let record = Record<NotificationResponse>([
        Field(required: "id", \.id),
        Field(beside: Action.record, \.action),
        Field("activationToken", \.activationToken),
        Field(required: "notification", \.notification) { DeliveredNotification.record },
    ]) {
        NotificationResponse(
            id: 0, notification: DeliveredNotification.record.make(), action: .standard)
    }
}

extension NotificationResponse.Action {
    private struct Button: Sendable {
        var identifier = ""
        var text: String?
    }

    /// The user's action; `outcome` is the word that `tocsin send --wait --json` prints.
    ///
    /// For a reply without a text, the tool prints `action`, as for a plain button.
    package static let record = Record<NotificationResponse.Action>(
        union: "outcome",
        [
            Case("default", .standard),
            Case("dismissed", .dismiss),
            Case(
                "action", [Field(required: "action", \.identifier)], of: Button(),
                embed: { .custom($0.identifier) },
                extract: {
                    guard case .custom(let identifier) = $0 else { return nil }
                    return Button(identifier: identifier)
                }),
            Case(
                "reply", [Field(required: "action", \.identifier), Field("reply", \.text)],
                of: Button(), embed: { .reply($0.identifier, text: $0.text) },
                extract: {
                    guard case .reply(let identifier, let text) = $0 else { return nil }
                    return Button(identifier: identifier, text: text)
                }),
        ]
    ) { .standard }
}

/// A response as watchers get it.
package struct AnsweredNotification: Hashable, Sendable {
    /// The identifier of the notification's request.
    package var identifier: String
    package var action: NotificationResponse.Action

    package init(identifier: String, action: NotificationResponse.Action) {
        self.identifier = identifier
        self.action = action
    }

    package static let record = Record<AnsweredNotification>([
        Field(required: "id", \.identifier),
        Field(beside: NotificationResponse.Action.record, \.action),
    ]) { AnsweredNotification(identifier: "", action: .standard) }
}
