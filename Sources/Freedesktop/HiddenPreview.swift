internal import NotificationModel

/// What a popup shows in place of its texts.
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
        let options = presentation.category?.options ?? []
        var content = presentation.notification.request.content
        // Without a title the app's name is in its place.
        if !options.contains(.hiddenPreviewsShowTitle) { content.title = "" }
        if !options.contains(.hiddenPreviewsShowSubtitle) { content.subtitle = "" }
        content.body = placeholder(of: presentation)
        content.attachments = []
        content.progress = nil
        // These are whatever a caller likes; how urgent it is and how long it stays are not.
        content.desktop?.icon = nil
        content.desktop?.hints = [:]
        presentation.notification.request.content = content
        presentation.picture = nil
        for index in (presentation.category?.actions ?? []).indices {
            presentation.category?.actions[index].textInput?.placeholder = ""
        }
        return presentation
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
