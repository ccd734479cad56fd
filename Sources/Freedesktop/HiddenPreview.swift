internal import NotificationModel

/// The placeholder that a popup shows in place of its texts.
///
/// Source: Apple's `UNNotificationCategory`, `hiddenPreviewsBodyPlaceholder` and `options`.
enum HiddenPreview {
    /// Stands for the text of a category without a placeholder.
    static let text = "Notification"

    /// The presentation as it is shown: the same, or without anything that tells what it is about.
    ///
    /// `hidesWhileLocked` says that the desktop itself keeps texts from a lock screen; then only those
    /// are left out that are never shown.
    static func applied(
        to presentation: Presentation, hidesWhileLocked: Bool = false
    ) -> Presentation {
        let isHidden =
            presentation.previews == .never || presentation.isHiddenByLock && !hidesWhileLocked
        return isHidden ? hidden(presentation) : presentation
    }

    private static func hidden(_ presentation: Presentation) -> Presentation {
        var presentation = presentation
        presentation.notification.request.content = shown(of: presentation)
        presentation.picture = nil
        for index in (presentation.category?.actions ?? []).indices {
            presentation.category?.actions[index].textInput?.placeholder = ""
        }
        return presentation
    }

    /// The content that a locked screen may show: a list of what stays, so that a new field is hidden
    /// until it is added here.
    private static func shown(of presentation: Presentation) -> NotificationContent {
        let options = presentation.category?.options ?? []
        let content = presentation.notification.request.content
        var shown = NotificationContent()
        // Without a title the app's name is in its place.
        if options.contains(.hiddenPreviewsShowTitle) { shown.title = content.title }
        if options.contains(.hiddenPreviewsShowSubtitle) { shown.subtitle = content.subtitle }
        shown.body = placeholder(of: presentation)
        shown.sound = content.sound
        shown.interruptionLevel = content.interruptionLevel
        // How urgent it is and how long it stays; its icon and hints are whatever a caller likes.
        shown.desktop = content.desktop.map { desktop in
            var shown = DesktopOptions()
            shown.expireTimeout = desktop.expireTimeout
            shown.category = desktop.category
            shown.urgency = desktop.urgency
            shown.isTransient = desktop.isTransient
            shown.offersClick = desktop.offersClick
            return shown
        }
        return shown
    }

    /// The category's placeholder, in which `%u` is the number of notifications of the thread.
    private static func placeholder(of presentation: Presentation) -> String {
        let format = presentation.category?.hiddenPreviewsBodyPlaceholder ?? ""
        guard !format.allSatisfy(\.isWhitespace) else { return text }
        // "%%" first, so that "%%u" is a percent sign and a letter.
        return format.split(separator: "%%", omittingEmptySubsequences: false)
            .map { $0.replacing("%u", with: String(presentation.threadCount)) }
            .joined(separator: "%")
    }
}
