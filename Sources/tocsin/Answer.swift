internal import NotificationModel

/// How waiting for an answer ended.
enum Answer: Hashable {
    case response(NotificationResponse.Action)
    case timedOut

    /// The exit status that says it.
    var status: ToolStatus {
        switch self {
        case .response(.dismiss): .dismissed
        case .response: .done
        case .timedOut: .timedOut
        }
    }

    /// What is printed for people and scripts: the action's id, or the text that was sent.
    var text: String? {
        switch self {
        case .response(.standard): "default"
        case .response(.custom(let identifier)): identifier
        case .response(.reply(_, let text)): text
        case .response(.dismiss), .timedOut: nil
        }
    }

    /// `{"id","outcome","action","reply"}`.
    func object(identifier: String) -> RecordValue {
        let (outcome, action, reply): (String, String?, String?) =
            switch self {
            case .response(.standard): ("default", nil, nil)
            case .response(.dismiss): ("dismissed", nil, nil)
            case .response(.custom(let action)): ("action", action, nil)
            case .response(.reply(let action, let text)): ("reply", action, text)
            case .timedOut: ("timeout", nil, nil)
            }
        return .record([
            .init("id", .string(identifier)), .init("outcome", .string(outcome)),
            .init("action", RecordValue(action)), .init("reply", RecordValue(reply)),
        ])
    }
}
