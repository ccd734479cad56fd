internal import DesktopBus

/// The interface `org.tocsin.NotificationCenter1`, equal to its XML in `dbus/`.
enum CenterInterfaceTable {
    private static let app = ArgumentEntry("app", "s")
    private static let identifiers = ArgumentEntry("identifiers", "as")
    private static let categories = ArgumentEntry("categories", "aa{sv}")
    private static let query = [app, ArgumentEntry("options", "a{sv}")]
    private static let page = [
        ArgumentEntry("notifications", "aa{sv}"), ArgumentEntry("next", "s"),
    ]

    static func table(of exporter: ServiceExporter) -> InterfaceTable {
        InterfaceTable(
            name: CenterName.interface,
            methods: (requests(of: exporter) + delivered(of: exporter) + permissions(of: exporter)
                + answers(of: exporter)).map { exporter.guarded($0) },
            signals: [
                SignalEntry("Response", [ArgumentEntry("response", "a{sv}")]),
                SignalEntry(
                    "WillPresent",
                    [ArgumentEntry("token", "t"), ArgumentEntry("notification", "a{sv}")]),
                SignalEntry(
                    "Extend",
                    [app, ArgumentEntry("token", "t"), ArgumentEntry("request", "a{sv}")]),
                SignalEntry("ExtensionWillExpire", [ArgumentEntry("token", "t")]),
                SignalEntry("OpenSettings", [ArgumentEntry("notification", "a{sv}")]),
                SignalEntry("Left", [app, ArgumentEntry("identifier", "s")]),
                SignalEntry(
                    "Changed",
                    [app, ArgumentEntry("pending", "b"), ArgumentEntry("delivered", "b")]),
                SignalEntry("Answered", [app, ArgumentEntry("answer", "a{sv}")]),
            ],
            properties: [
                PropertyEntry("Version", "s", get: { try await exporter.version() }),
                PropertyEntry("PendingCount", "u", get: { try await exporter.pendingCount() }),
                PropertyEntry("Opening", "b", get: { await .bool(exporter.isOpening) }),
            ])
    }

    /// Sessions, and what waits.
    private static func requests(of exporter: ServiceExporter) -> [MethodEntry] {
        [
            MethodEntry(
                "Connect", in: [ArgumentEntry("application", "a{sv}")],
                out: [ArgumentEntry("service", "a{sv}")]
            ) { try await exporter.connect($0) },
            MethodEntry("Disconnect", in: [app]) { try await exporter.disconnect($0) },
            MethodEntry(
                "Add",
                in: [
                    app, ArgumentEntry("request", "a{sv}"), ArgumentEntry("attachments", "ah"),
                ]
            ) { try await exporter.add($0) },
            MethodEntry(
                "AddMany",
                in: [
                    app, ArgumentEntry("requests", "aa{sv}"), ArgumentEntry("attachments", "ah"),
                ]
            ) { try await exporter.addMany($0) },
            MethodEntry(
                "Push",
                in: [
                    app, ArgumentEntry("payload", "ay"), ArgumentEntry("options", "a{sv}"),
                ], out: [ArgumentEntry("identifier", "s")]
            ) { try await exporter.push($0) },
            MethodEntry("Remove", in: [app, identifiers]) { try await exporter.remove($0) },
            MethodEntry("RemoveAll", in: [app]) { try await exporter.removeAll($0) },
            MethodEntry("Pending", in: query, out: page) { try await exporter.pending($0) },
            MethodEntry(
                "Skip", in: [app, ArgumentEntry("identifier", "s")],
                out: [ArgumentEntry("dates", "a{sv}")]
            ) { try await exporter.skip($0) },
            MethodEntry(
                "Snooze",
                in: [
                    app, ArgumentEntry("identifier", "s"), ArgumentEntry("seconds", "d"),
                ], out: [ArgumentEntry("date", "x")]
            ) { try await exporter.snooze($0) },
        ]
    }

    /// What was shown, what came to nothing, and the buttons of what is shown.
    private static func delivered(of exporter: ServiceExporter) -> [MethodEntry] {
        [
            MethodEntry("Delivered", in: query, out: page) { try await exporter.delivered($0) },
            MethodEntry(
                "Records", in: query,
                out: [ArgumentEntry("records", "aa{sv}"), ArgumentEntry("next", "s")]
            ) { try await exporter.records($0) },
            MethodEntry("RemoveDelivered", in: [app, identifiers]) {
                try await exporter.removeDelivered($0)
            },
            MethodEntry("RemoveAllDelivered", in: [app]) {
                try await exporter.removeAllDelivered($0)
            },
            MethodEntry("SetCategories", in: [app, categories]) {
                try await exporter.setCategories($0)
            },
            MethodEntry("Categories", in: [app], out: [categories]) {
                try await exporter.categories($0)
            },
        ]
    }

    /// What an app may do.
    private static func permissions(of exporter: ServiceExporter) -> [MethodEntry] {
        [
            MethodEntry(
                "RequestAuthorization", in: [app, ArgumentEntry("options", "t")],
                out: [ArgumentEntry("granted", "b")], isWait: true
            ) { try await exporter.requestAuthorization($0) },
            MethodEntry("Settings", in: [app], out: [ArgumentEntry("settings", "a{sv}")]) {
                try await exporter.settings($0)
            },
            MethodEntry("Permissions", out: [ArgumentEntry("permissions", "aa{sv}")]) {
                try await exporter.permissions($0)
            },
            MethodEntry("Decide", in: [app, ArgumentEntry("decision", "s")]) {
                try await exporter.decide($0)
            },
            MethodEntry("SetPreviews", in: [app, ArgumentEntry("previews", "s")]) {
                try await exporter.setPreviews($0)
            },
            MethodEntry("OpenNotificationSettings", in: [app]) {
                try await exporter.openNotificationSettings($0)
            },
            MethodEntry("SetBadge", in: [app, ArgumentEntry("count", "x")]) {
                try await exporter.setBadge($0)
            },
        ]
    }

    /// What answers, waits and tells how the service is.
    private static func answers(of exporter: ServiceExporter) -> [MethodEntry] {
        [
            MethodEntry("Acknowledge", in: [app, ArgumentEntry("response", "x")]) {
                try await exporter.acknowledge($0)
            },
            MethodEntry(
                "Answer", in: [ArgumentEntry("token", "t"), ArgumentEntry("options", "u")]
            ) { try await exporter.answer($0) },
            MethodEntry(
                "WaitUntilIdle",
                in: [ArgumentEntry("app", "s"), ArgumentEntry("popups", "b")], isWait: true
            ) { try await exporter.waitUntilIdle($0) },
            MethodEntry(
                "FinishExtension",
                in: [
                    app, ArgumentEntry("token", "t"), ArgumentEntry("content", "a{sv}"),
                    ArgumentEntry("attachments", "ah"),
                ]
            ) { try await exporter.finishExtension($0) },
            MethodEntry("Watch", in: [app]) { try await exporter.watch($0) },
            MethodEntry("Unwatch") { try await exporter.unwatch($0) },
            MethodEntry("Status", out: [ArgumentEntry("status", "a{sv}")]) {
                try await exporter.status($0)
            },
        ]
    }
}
