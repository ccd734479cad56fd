public import DesktopBus
package import NotificationModel

/// The parameters of `Notify`, with which every popup is posted.
///
/// Source: Desktop Notifications Specification 1.2, "org.freedesktop.Notifications.Notify".
public struct NotifyArguments: Hashable, Sendable {
    /// One entry of the action list.
    public struct Action: Hashable, Sendable {
        /// The key that `ActionInvoked` reports.
        public var key: String
        /// The button's label.
        public var label: String

        /// Makes an entry.
        public init(key: String, label: String) {
            self.key = key
            self.label = label
        }
    }

    /// The localised name of the app.
    public var appName = ""
    /// The id of the popup to replace; 0 for a new popup.
    public var replacesID: UInt32 = 0
    /// The icon, as a name from a theme or a path.
    public var appIcon = ""
    /// The title; plain text.
    public var summary = ""
    /// The text; it has markup only if the server reads markup.
    public var body = ""
    /// The actions in the order of their buttons, `default` last.
    public var actions: [Action] = []
    /// The hints by name.
    public var hints: [String: BusValue] = [:]
    /// The timeout in milliseconds; -1 for the server's default, 0 for never.
    public var expireTimeout: Int32 = -1

    /// Makes arguments for an empty popup.
    public init() {}

    /// The values in the order and with the types of the specification, `susssasa{sv}i`.
    public var values: [BusValue] {
        [
            .string(appName), .uint32(replacesID), .string(appIcon), .string(summary),
            .string(body), .strings(actions.flatMap { [$0.key, $0.label] }),
            .vardict(hints.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
            .int32(expireTimeout),
        ]
    }
}

extension NotifyArguments {
    /// Computes the arguments for a server with these capabilities.
    ///
    /// Tocsin's own texts are in `language`.
    package init(
        _ presentation: Presentation, for server: ServerInformation,
        in language: WordingLanguage = .english
    ) {
        let presentation = HiddenPreview.applied(
            to: presentation, hidesWhileLocked: server.has(.hidesWhileLocked), in: language)
        let request = presentation.notification.request
        let content = request.content
        let application = presentation.application
        self.init()
        appName = PlainText.line(application.shownName)
        appIcon = content.desktop?.icon ?? application.icon
        let title = PlainText.line(content.title)
        summary = title.allSatisfy(\.isWhitespace) ? appName : title
        body = BodyMarkup.body(content, for: server)
        if !server.capabilities.contains("body"), !body.isEmpty {
            let texts = [summary] + BodyMarkup.lines(content)
            summary = PlainText.line(texts.joined(separator: " – "))
            body = ""
        }
        if server.capabilities.contains("actions") {
            actions = ActionKeys.actions(for: presentation, server: server, in: language)
        }
        hints = HintTable.hints(presentation, server: server)
        expireTimeout = Self.timeout(of: request, server: server)
        // A server with one of the quirks below sends no signal when this popup times out. A caller
        // that waits for the response would wait for ever, so this popup must not time out. Ignore
        // a `desktop-entry` hint of the caller, because the named desktop file may not be
        // installed.
        let isDroppedInSilence =
            server.has(.dropsInSilence) && !application.hasDesktopEntry
            || server.has(.dropsTransientInSilence) && hints["transient"] == .bool(true)
        if presentation.isAwaited, expireTimeout < 0, isDroppedInSilence { expireTimeout = 0 }
    }

    /// The timeout in milliseconds.
    ///
    /// A reminder is a request that has a trigger and is not passive. On a server that keeps no
    /// list, a reminder never times out.
    private static func timeout(
        of request: NotificationRequest, server: ServerInformation
    ) -> Int32 {
        if let asked = request.content.desktop?.expireTimeout { return asked }
        let isReminder = request.trigger != nil && request.content.interruptionLevel != .passive
        return isReminder && !server.capabilities.contains("persistence") ? 0 : -1
    }
}
