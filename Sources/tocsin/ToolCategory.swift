internal import NotificationModel

/// The categories of the tool: one for each set of buttons, kept beside those of the app.
enum ToolCategory {
    private static let prefix = "org.tocsin.cli."
    private static let maximumCount = 256

    /// The category of a set of buttons; every one reports its dismissal, for `--wait`.
    static func category(_ actions: [NotificationAction]) -> NotificationCategory {
        NotificationCategory(
            identifier: prefix + digest(actions), actions: actions,
            options: .customDismissAction)
    }

    /// The whole set with this category in it, or nil where it is there already.
    ///
    /// The oldest of the tool's own make room: a notification older than that keeps its text and
    /// loses its buttons.
    static func adding(
        _ category: NotificationCategory, to known: [NotificationCategory]
    ) -> [NotificationCategory]? {
        guard !known.contains(category) else { return nil }
        var result = known.filter { $0.identifier != category.identifier } + [category]
        let own = result.filter { $0.identifier.hasPrefix(prefix) }.dropLast(maximumCount)
        result.removeAll(where: own.contains)
        return result
    }

    /// FNV-1a of 64 bits: equal in every run, unlike Swift's own hashes.
    private static func digest(_ actions: [NotificationAction]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let texts = actions.flatMap { action in
            let input = action.textInput.map { ["\u{1}", $0.buttonTitle, $0.placeholder] }
            let snooze = action.snooze.map { ["\u{2}", "\($0)"] }
            return [action.identifier, action.title] + (input ?? []) + (snooze ?? [])
        }
        for text in texts {
            for byte in Array(text.utf8) + [0] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return String(hash, radix: 36)
    }
}
