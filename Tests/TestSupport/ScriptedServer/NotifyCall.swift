package import DesktopBus

/// One call of `Notify` as a server received it.
package struct NotifyCall: Sendable, Equatable {
    /// One entry of the actions.
    package struct Action: Sendable, Equatable {
        package let key: String
        package let label: String

        package init(key: String, label: String) {
            self.key = key
            self.label = label
        }
    }

    /// The result of the call on the server.
    package enum Outcome: Sendable, Equatable {
        /// Shown under this id.
        case shown(id: UInt32)
        /// Answered with this error.
        case refused(ErrorName)
    }

    /// The caller's unique name.
    package let sender: BusName
    /// The client that first posted the popup that this call replaced; nil if the server does not
    /// remember that client.
    package var firstSender: BusName?
    package let appName: String
    package let replacesID: UInt32
    package let appIcon: String
    package let summary: String
    package let body: String
    package var actions: [Action]
    /// The hints with their exact types.
    package let hints: [String: BusValue]
    package let timeout: Int32
    /// The result of the call.
    package var outcome: Outcome

    /// The popup's id; 0 if the call was refused.
    package var id: UInt32 {
        if case .shown(let id) = outcome { id } else { 0 }
    }

    /// A call with this summary and nothing else.
    package init(_ summary: String, from sender: BusName) {
        self.sender = sender
        self.summary = summary
        (appName, appIcon, body) = ("", "", "")
        (replacesID, timeout) = (0, 0)
        (actions, hints) = ([], [:])
        outcome = .shown(id: 1)
    }

    /// Reads the arguments of `Notify`; returns nil if their types are wrong.
    init?(_ invocation: MethodInvocation) {
        let values = invocation.arguments
        guard values.count == 8, let appName = values[0].stringValue,
            let replacesID = values[1].uint32Value, let appIcon = values[2].stringValue,
            let summary = values[3].stringValue, let body = values[4].stringValue,
            let actions = values[5].stringsValue, let hints = values[6].vardictValue,
            let timeout = values[7].int32Value
        else { return nil }
        sender = invocation.sender
        self.appName = appName
        self.replacesID = replacesID
        self.appIcon = appIcon
        self.summary = summary
        self.body = body
        self.actions = stride(from: 0, to: actions.count - 1, by: 2).map {
            Action(key: actions[$0], label: actions[$0 + 1])
        }
        self.hints = hints
        self.timeout = timeout
        outcome = .shown(id: 0)
    }

    /// Whether the popups of both calls look the same to the user.
    func looksLike(_ other: NotifyCall) -> Bool {
        appName == other.appName && summary == other.summary && body == other.body
            && actions == other.actions && appIcon == other.appIcon
            && hints["desktop-entry"] == other.hints["desktop-entry"]
    }
}
