internal import DesktopBus
internal import NotificationModel

/// The hints of a popup, each with exactly the type of the specification.
///
/// Several servers ignore a hint of a wrong type, and one refuses the whole popup.
///
/// Source: Desktop Notifications Specification 1.2, "Hints".
enum HintTable {
    static func hints(
        _ presentation: Presentation, server: ServerInformation
    ) -> [String: BusValue] {
        let content = presentation.notification.request.content
        var hints: [String: BusValue] = [:]
        for (name, hint) in content.desktop?.hints ?? [:] { hints[name] = value(of: hint) }
        hints["urgency"] = .byte(urgency(of: content, presentation))
        if presentation.application.hasDesktopEntry {
            hints["desktop-entry"] = .string(presentation.application.id.rawValue)
        }
        if let category = content.desktop?.category { hints["category"] = .string(category) }
        if content.desktop?.isTransient == true { hints["transient"] = .bool(true) }
        if let percent = percent(of: content) { hints["value"] = .int32(percent) }
        if let image = ImageHint.hint(of: presentation) { hints[image.name] = image.value }
        if server.capabilities.contains("sound") { setSound(of: presentation, in: &hints) }
        if let reply = ActionKeys.inlineReplyAction(of: presentation.category, server: server),
            let input = reply.textInput
        {
            hints["x-kde-reply-placeholder-text"] = .string(PlainText.line(input.placeholder))
            hints["x-kde-reply-submit-button-text"] = .string(
                server.label(PlainText.line(input.buttonTitle), ofOneIn: 1))
        }
        if presentation.isRestored { markRestored(&hints) }
        adapt(&hints, to: server)
        return hints
    }

    /// Sets the sound of a popup; a sound in the caller's own hints stays if it may be played.
    private static func setSound(
        of presentation: Presentation, in hints: inout [String: BusValue]
    ) {
        let names = ["sound-name", "sound-file"]
        let isNamed = names.contains { hints[$0] != nil }
        if isNamed, presentation.options.contains(.sound) { return }
        // Remove the caller's sound: some servers ignore `suppress-sound`.
        for name in names { hints[name] = nil }
        let sound = PopupSound(of: presentation).hint
        hints[sound.name] = sound.value
    }

    /// Removes, changes or renames hints, as the server's quirks require.
    ///
    /// Unlike in `notify-send`, a quirk overrules the caller's own hint. A request may wait for
    /// days, so its caller does not know which server shows it.
    private static func adapt(_ hints: inout [String: BusValue], to server: ServerInformation) {
        if server.has(.drawsProgressAlone) { hints["value"] = nil }
        if server.has(.takesImagesByPath), let place = hints["image-path"] {
            // The name of a theme icon is not a path, so such a hint is left out.
            let path = place.stringValue.flatMap { $0.hasPrefix("/") ? $0 : FileURI.path(of: $0) }
            hints["image-path"] = path.map(BusValue.string)
        }
        for (name, other) in server.traits.hintNames {
            if let value = hints.removeValue(forKey: name) { hints[other] = value }
        }
    }

    /// The progress in percent, which dunst, mako and SwayNotificationCenter draw as a bar.
    ///
    /// Other servers ignore the hint, except one that would draw only the bar
    /// (`drawsProgressAlone`). mako refuses a value of another type than `Int32`.
    ///
    /// Source: dunst(5), "value".
    private static func percent(of content: NotificationContent) -> Int32? {
        guard let progress = content.progress, progress.isFinite else { return nil }
        return Int32((min(1, max(0, progress)) * 100).rounded())
    }

    /// Makes a popup silent and of low urgency, because it was on the screen before.
    private static func markRestored(_ hints: inout [String: BusValue]) {
        hints["sound-name"] = nil
        hints["sound-file"] = nil
        hints["suppress-sound"] = .bool(true)
        hints["urgency"] = .byte(0)
        hints["x-tocsin-restored"] = .bool(true)
    }

    /// The urgency that the app asks for, or else the urgency of the interruption level.
    ///
    /// Passive is 0, active is 1, and critical is 2. Time-sensitive is 1, but 2 while Do Not
    /// Disturb is on. A notification that may show neither a banner nor an alert has 0.
    private static func urgency(
        of content: NotificationContent, _ presentation: Presentation
    ) -> UInt8 {
        if let asked = content.desktop?.urgency { return asked }
        if presentation.options.isDisjoint(with: [.banner, .alert]) { return 0 }
        switch content.interruptionLevel {
        case .passive: return 0
        case .active: return 1
        case .timeSensitive: return presentation.isInSilence ? 2 : 1
        case .critical: return 2
        }
    }

    private static func value(of hint: DesktopOptions.Hint) -> BusValue {
        switch hint {
        case .boolean(let value): .bool(value)
        case .byte(let value): .byte(value)
        case .integer(let value): .int32(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        }
    }
}
