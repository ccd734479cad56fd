internal import NotificationModel

/// The keys of actions on the bus: the app's identifiers behind a prefix.
///
/// The prefix keeps an identifier apart from a key with a meaning (`default`, `settings`,
/// `inline-reply`). A key contains the identifier, so a popup from before a restart is still
/// understood.
enum ActionKeys {
    static let standard = "default"
    static let inlineReply = "inline-reply"
    static let settings = "settings"
    private static let prefix = "action."

    /// The action list for `Notify`: the category's actions, destructive ones last, then `default`.
    ///
    /// `default` is at the end because one server skips the entry that follows it.
    ///
    /// If a click does nothing, servers that would draw `default` as a button do not get it. On
    /// other servers its absence has a meaning, such as that the app is started.
    static func actions(
        for category: NotificationCategory?, server: ServerInformation, isQuestion: Bool = false,
        offersSettings: Bool = false, offersClick: Bool = true
    ) -> [NotifyArguments.Action] {
        let reply = inlineReplyAction(of: category, server: server)
        var actions = ordered(category).map { action in
            NotifyArguments.Action(
                key: action == reply ? inlineReply : prefix + action.identifier,
                label: PlainText.line(action.title))
        }
        if isQuestion { return actions }
        if offersSettings, server.has(.hasSettingsButton) {
            actions.append(NotifyArguments.Action(key: settings, label: "Settings"))
        }
        let label = server.traits.defaultActionLabel
        if offersClick || !server.has(.offersDefaultByLabel) {
            actions.append(NotifyArguments.Action(key: standard, label: label))
        }
        return actions
    }

    /// The category's actions, destructive ones last.
    static func ordered(_ category: NotificationCategory?) -> [NotificationAction] {
        let all = category?.actions ?? []
        return all.filter { !$0.options.contains(.destructive) }
            + all.filter { $0.options.contains(.destructive) }
    }

    /// The one action for which the server can take a reply; nil without such an action.
    static func inlineReplyAction(
        of category: NotificationCategory?, server: ServerInformation
    ) -> NotificationAction? {
        guard server.capabilities.isSuperset(of: ["actions", "inline-reply"]) else { return nil }
        return category?.actions.first { $0.textInput != nil }
    }

    /// The user's action; nil for a key of another program.
    static func action(of key: String) -> NotificationResponse.Action? {
        if key == standard { return .standard }
        guard key.hasPrefix(prefix) else { return nil }
        return .custom(String(key.dropFirst(prefix.count)))
    }
}
