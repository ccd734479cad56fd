public import DesktopBus

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
    /// A theme name or path.
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
