internal import NotificationModel

extension PortalNotification {
    /// Computes the notification for a portal.
    ///
    /// `isUpdate` says that a notification with this id was posted before. Tocsin's own texts are
    /// in `language`.
    init(
        _ presentation: Presentation, for portal: PortalInformation, isUpdate: Bool = false,
        in language: WordingLanguage = .english
    ) {
        self.init()
        // A portal of version 2 may have a backend of version 1, which hides nothing on the lock
        // screen. So the texts are hidden here in every version.
        let presentation = HiddenPreview.applied(to: presentation, in: language)
        let content = presentation.notification.request.content
        let line = PlainText.line(content.title)
        let name = PlainText.line(presentation.application.shownName)
        title = line.allSatisfy(\.isWhitespace) ? name : line
        body = BodyMarkup.lines(content).joined(separator: "\n")
        let isQuiet = presentation.options.isDisjoint(with: [.banner, .alert])
        priority = Self.priority(of: content, isQuiet: isQuiet || presentation.isRestored)
        if !presentation.isQuestion { defaultAction = PortalKeys.standard }
        buttons = Self.buttons(of: presentation.category, for: portal)
        icon = Self.icon(of: presentation)
        if portal.version >= 2 {
            addVersion2(presentation, for: portal, isQuiet: isQuiet, isUpdate: isUpdate)
        }
    }

    private mutating func addVersion2(
        _ presentation: Presentation, for portal: PortalInformation, isQuiet: Bool, isUpdate: Bool
    ) {
        let content = presentation.notification.request.content
        if !PlainText.line(content.subtitle).isEmpty { markupBody = BodyMarkup.body(content) }
        sound = presentation.isRestored ? .silent : PopupSound(of: presentation).portalSound
        if isQuiet || presentation.isRestored {
            displayHints.append("tray")
        } else if content.desktop?.isTransient == true {
            displayHints.append("transient")
        }
        // As on Apple's platforms, a request that replaces a shown request alerts the user again.
        let isKnown = presentation.isRestored || presentation.isRevealed
        if isUpdate, !isQuiet, !isKnown { displayHints.append("show-as-new") }
        if presentation.previews == .whenAuthenticated {
            displayHints.append("hide-content-on-lock-screen")
        }
        if buttons.contains(where: { $0.purpose != nil }) {
            category = PortalInformation.messageCategory
        } else if let asked = content.desktop?.category, portal.categories.contains(asked) {
            category = asked
        }
    }

    /// The priority, from the urgency that the app asks for, or else from the interruption level.
    ///
    /// Passive is low, active normal, time-sensitive high, and critical urgent.
    private static func priority(of content: NotificationContent, isQuiet: Bool) -> String {
        if isQuiet { return "low" }
        switch content.desktop?.urgency {
        case 0?: return "low"
        case 1?: return "normal"
        case .some: return "urgent"
        case nil: break
        }
        switch content.interruptionLevel {
        case .passive: return "low"
        case .active: return "normal"
        case .timeSensitive: return "high"
        case .critical: return "urgent"
        }
    }

    /// The category's actions, destructive ones last.
    ///
    /// The first action that takes a reply gets a text field if the desktop draws one.
    private static func buttons(
        of category: NotificationCategory?, for portal: PortalInformation
    ) -> [Button] {
        let actions = ActionKeys.ordered(category)
        let reply = portal.takesReplies ? actions.first { $0.textInput != nil } : nil
        return actions.map { action in
            Button(
                action: PortalKeys.name(ofAction: action.identifier),
                label: PlainText.line(action.title),
                purpose: action == reply ? PortalInformation.replyPurpose : nil)
        }
    }

    /// The first of these that exists: the image, the icon for an attachment's file type, the
    /// request's icon, the app's icon.
    private static func icon(of presentation: Presentation) -> PortalIcon? {
        let content = presentation.notification.request.content
        if let image = presentation.image, image.form == .png { return .png(image.bytes) }
        if let file = content.image { return .file(file.path) }
        let name =
            content.attachments.lazy.compactMap(\.themeIcon).first ?? content.desktop?.icon
            ?? presentation.application.icon
        if name.isEmpty { return nil }
        return name.hasPrefix("/") ? .file(name) : .themed(name)
    }
}
