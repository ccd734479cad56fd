package import DesktopBus

/// One call of `AddNotification` as a portal received it.
package struct PortalCall: Sendable {
    /// One button.
    package struct Button: Sendable, Equatable {
        package let label: String
        package let action: String
        package let purpose: String?

        package init(label: String, action: String, purpose: String? = nil) {
            self.label = label
            self.action = action
            self.purpose = purpose
        }
    }

    /// The caller's unique name.
    package let sender: BusName
    package let id: String
    package let values: [String: BusValue]

    init?(_ invocation: MethodInvocation) {
        guard let id = invocation.arguments.first?.stringValue,
            let values = invocation.arguments.last?.vardictValue
        else { return nil }
        sender = invocation.sender
        self.id = id
        self.values = values
    }

    package var title: String? { values["title"]?.stringValue }

    package var buttons: [Button] {
        (values["buttons"]?.arrayValue ?? []).compactMap { button in
            guard let entries = button.vardictValue, let label = entries["label"]?.stringValue,
                let action = entries["action"]?.stringValue
            else { return nil }
            return Button(
                label: label, action: action, purpose: entries["purpose"]?.stringValue)
        }
    }

    /// The names of the actions; the action of a click on the notification itself is last.
    package var actions: [String] {
        buttons.map(\.action) + [values["default-action"]?.stringValue].compactMap(\.self)
    }

    /// The kind and the value of an image or a sound.
    package func file(_ key: String) -> (kind: String, value: BusValue)? {
        guard let members = values[key]?.structureValue, members.count == 2,
            let kind = members[0].stringValue
        else { return nil }
        return (kind, members[1].unwrapped)
    }
}
