internal import NotificationModel

/// The keys of actions on the bus.
///
/// The key of an app's own action is a prefix and the action's identifier.
///
/// The prefix keeps an identifier apart from the reserved keys (`default`, `settings`,
/// `inline-reply`). The identifier in the key says what a click means, even on a popup that an
/// earlier run posted.
enum ActionKeys {
    static let standard = "default"
    static let inlineReply = "inline-reply"
    static let settings = "settings"
    private static let prefix = "action."

    /// The action list for `Notify`: the category's actions, destructive ones last, then `default`.
    ///
    /// `default` is at the end because one server skips the entry that follows it. A popup that
    /// asks for permission has only the category's actions.
    ///
    /// If the app offers settings, `settings` comes before `default` for a server with the quirk
    /// `hasSettingsButton`.
    ///
    /// If the content offers no click, `default` is left out for a server that would draw it as a
    /// button. Other servers still get `default`, because some of them start the app if it is
    /// missing.
    static func actions(
        for presentation: Presentation, server: ServerInformation, in language: WordingLanguage
    ) -> [NotifyArguments.Action] {
        let reply = inlineReplyAction(of: presentation.category, server: server)
        var actions = ordered(presentation.category).map { action in
            NotifyArguments.Action(
                key: action == reply ? inlineReply : prefix + action.identifier,
                label: PlainText.line(action.title))
        }
        if !presentation.isQuestion {
            if presentation.offersSettings, server.has(.hasSettingsButton) {
                actions.append(
                    NotifyArguments.Action(key: settings, label: language.words.settings))
            }
            let label = server.traits.labelsDefaultAction ? language.words.open : ""
            let offersClick = presentation.notification.request.content.desktop?.offersClick ?? true
            if offersClick || !server.has(.offersDefaultByLabel) {
                actions.append(NotifyArguments.Action(key: standard, label: label))
            }
        }
        return actions.map { action in
            NotifyArguments.Action(
                key: action.key, label: server.label(action.label, ofOneIn: actions.count))
        }
    }

    static func ordered(_ category: NotificationCategory?) -> [NotificationAction] {
        let all = category?.actions ?? []
        return all.filter { !$0.options.contains(.destructive) }
            + all.filter { $0.options.contains(.destructive) }
    }

    /// The category's first action with a text field; nil if the server draws no text fields.
    static func inlineReplyAction(
        of category: NotificationCategory?, server: ServerInformation
    ) -> NotificationAction? {
        guard server.capabilities.isSuperset(of: ["actions", "inline-reply"]) else { return nil }
        return category?.actions.first { $0.textInput != nil }
    }

    /// The action of a key; nil if the key is not `default` and does not begin with the prefix.
    static func action(of key: String) -> NotificationResponse.Action? {
        if key == standard { return .standard }
        // Compare bytes, because a combining mark at the start of the identifier forms one
        // `Character` with the point.
        guard key.utf8.starts(with: prefix.utf8) else { return nil }
        return .custom(String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }
}
