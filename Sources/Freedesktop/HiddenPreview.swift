internal import NotificationModel

/// The placeholder that a popup shows in place of its texts.
///
/// Source: Apple's `UNNotificationCategory`, `hiddenPreviewsBodyPlaceholder` and `options`.
enum HiddenPreview {
    /// The presentation to show: unchanged, or without the texts and images that its category
    /// hides.
    ///
    /// If the desktop itself hides texts on the lock screen (`hidesWhileLocked`), only the preview
    /// setting `never` hides texts here.
    static func applied(
        to presentation: Presentation, hidesWhileLocked: Bool = false,
        in language: WordingLanguage = .english
    ) -> Presentation {
        let isHidden =
            presentation.previews == .never || presentation.isHiddenByLock && !hidesWhileLocked
        return isHidden ? hidden(presentation, in: language) : presentation
    }

    private static func hidden(
        _ presentation: Presentation, in language: WordingLanguage
    ) -> Presentation {
        var presentation = presentation
        presentation.notification.request.content = shown(of: presentation, in: language)
        presentation.image = nil
        for index in (presentation.category?.actions ?? []).indices {
            presentation.category?.actions[index].textInput?.placeholder = ""
        }
        return presentation
    }

    /// The content of a popup with hidden texts.
    ///
    /// This lists the fields that are shown, so a new field is hidden by default.
    private static func shown(
        of presentation: Presentation, in language: WordingLanguage
    ) -> NotificationContent {
        let options = presentation.category?.options ?? []
        let content = presentation.notification.request.content
        var shown = NotificationContent()
        // Without a title the popup shows the app's name.
        if options.contains(.hiddenPreviewsShowTitle) { shown.title = content.title }
        if options.contains(.hiddenPreviewsShowSubtitle) { shown.subtitle = content.subtitle }
        shown.body = placeholder(of: presentation) ?? language.words.hiddenText
        shown.sound = content.sound
        shown.interruptionLevel = content.interruptionLevel
        // These options reveal nothing. The icon and the hints may reveal the subject, so they are
        // left out.
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

    /// The category's placeholder, in which `%u` is the number of notifications of the thread; nil
    /// if the category has no placeholder.
    private static func placeholder(of presentation: Presentation) -> String? {
        let format = presentation.category?.hiddenPreviewsBodyPlaceholder ?? ""
        guard !format.allSatisfy(\.isWhitespace) else { return nil }
        // Split at "%%" first, because "%%u" means a percent sign and the letter u.
        return format.split(separator: "%%", omittingEmptySubsequences: false)
            .map { $0.replacing("%u", with: String(presentation.threadCount)) }
            .joined(separator: "%")
    }
}
