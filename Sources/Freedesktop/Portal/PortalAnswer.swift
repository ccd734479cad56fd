internal import DesktopBus
internal import NotificationModel

/// The user's action, as `ActionInvoked` reports it.
struct PortalAnswer: Hashable {
    var key: NotificationKey
    var action: NotificationResponse.Action
    /// The token that lets the app raise its window; nil in version 1.
    var activationToken: String?

    /// Reads the arguments; nil if the arguments are malformed or belong to another program.
    ///
    /// The third argument begins with the action's target, if the action has a target. Tocsin's
    /// actions have no target. In version 2 a dictionary with the token follows, and then the
    /// reply.
    init?(arguments: [BusValue]) {
        guard arguments.count == 3, let id = arguments[0].stringValue,
            let name = arguments[1].stringValue, let parameters = arguments[2].arrayValue,
            let key = PortalKeys.key(of: id), let action = PortalKeys.action(of: name)
        else { return nil }
        self.key = key
        self.action = action
        for parameter in parameters {
            if let platform = parameter.vardictValue {
                let token = platform["activation-token"] ?? platform["desktop-startup-id"]
                activationToken = token?.stringValue.flatMap {
                    Limits.activationToken.contains($0.utf8.count) ? $0 : nil
                }
            } else if let text = parameter.stringValue, case .custom(let identifier) = action {
                self.action = .reply(identifier, text: Limits.reply.cut(text.unicodeScalars))
            }
        }
    }
}
