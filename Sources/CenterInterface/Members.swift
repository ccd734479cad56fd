internal import DesktopBus
internal import NotificationModel

/// The interface `org.tocsin.NotificationCenter1`, in the order of its XML in `dbus/`.
///
/// Exporter, access control, quotas, introspection and client all come from these rows. A row says how
/// the service does it; what is bound to a connection is done by the exporter, with the caller.
enum Members {
    private static let app = Argument<ApplicationID>("app")
    /// One app, or all of them.
    private static let apps = Argument<ApplicationID?>(optional: "app")
    private static let identifier = Argument<String>("identifier")
    private static let identifiers = Argument<[String]>("identifiers")
    private static let categories = Argument("categories", list: NotificationCategory.record)
    private static let query = Arguments(apps, Argument("options", ListQuery.record))
    /// One descriptor for each attachment, in their order.
    private static let attachments = Argument<[BusDescriptor]>("attachments", "ah") {
        .array(element: "h", $0.map { .descriptor($0) })
    } decode: {
        ($0.arrayValue ?? []).compactMap(\.descriptorValue)
    }
    private static let nothing = Arguments<Void>()
    @Sendable private static func checkDepth(
        of request: NotificationRequest
    ) throws(NotificationError) {
        try request.content.checkDepth()
    }

    // MARK: Sessions, and what waits

    static let connect = Member(
        "Connect", takes: Arguments(Argument("application", ApplicationIntroduction.record)),
        gives: Arguments(Argument("service", ServiceVersion.record)), scope: .oneApp,
        cost: .keepsApp, isRepeatable: true, timeout: nil, bound: { try await $0.connect($1, $2) })
    static let disconnect = Member(
        "Disconnect", takes: Arguments(app), gives: nothing, scope: .oneApp, cost: .plain,
        isRepeatable: true, timeout: nil, bound: { try await $0.disconnect($1, $2) })
    static let add = Member(
        "Add",
        takes: Arguments(
            app,
            Argument("request", NotificationRequest.record, check: checkDepth), attachments),
        gives: nothing, scope: .oneApp, cost: .keepsApp, isRepeatable: false,
        timeout: nil, bound: { try await $0.add($1, $2) })
    static let addMany = Member(
        "AddMany",
        takes: Arguments(
            app,
            Argument("requests", list: NotificationRequest.record, check: checkDepth),
            attachments), gives: nothing, scope: .oneApp, cost: .keepsApp, isRepeatable: false,
        timeout: nil, bound: { try await $0.addMany($1, $2) })
    /// Not repeatable: without a collapse identifier it would be shown twice.
    static let push = Member(
        "Push",
        takes: Arguments(
            apps,
            Argument<[UInt8]>("payload", "ay", encode: { .bytes($0) }) { $0.bytesValue ?? [] },
            Argument("options", PushHeaders.record)),
        gives: Arguments(Argument<String?>(optional: "identifier")), scope: .oneApp,
        cost: .keepsApp, isRepeatable: false, timeout: nil
    ) { try await $0.push($1.1, headers: $1.2, for: $1.0) }
    static let remove = Member(
        "Remove", takes: Arguments(app, identifiers), gives: nothing, scope: .oneApp,
        cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.removePending(.identifiers($1.1), of: $1.0) }
    static let removeAll = Member(
        "RemoveAll", takes: Arguments(app), gives: nothing, scope: .oneApp, cost: .plain,
        isRepeatable: true, timeout: nil
    ) { try await $0.removePending(.all, of: $1) }
    static let pending = Member(
        "Pending", takes: query, gives: .page("notifications", PendingNotification.record),
        scope: .oneApp, cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.pendingPage($1.1, of: $1.0) }
    /// Not repeatable: it would pass over two dates.
    static let skip = Member(
        "Skip", takes: Arguments(app, identifier),
        gives: Arguments(Argument("dates", SkippedOccurrence.record)), scope: .oneApp,
        cost: .plain, isRepeatable: false, timeout: nil
    ) { try await $0.skip($1.1, of: $1.0) }
    /// Not repeatable: it would put off twice.
    static let snooze = Member(
        "Snooze", takes: Arguments(app, identifier, Argument<Double>("seconds")),
        gives: Arguments(Argument<Instant>("date")), scope: .oneApp, cost: .plain,
        isRepeatable: false, timeout: nil
    ) { try await $0.snooze($1.1, of: $1.0, for: $1.2) }

    // MARK: What was shown, what came to nothing, and the buttons of what is shown

    static let delivered = Member(
        "Delivered", takes: query, gives: .page("notifications", DeliveredNotification.record),
        scope: .oneApp, cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.deliveredPage($1.1, of: $1.0) }
    static let records = Member(
        "Records", takes: query, gives: .page("records", NotificationRecord.record),
        scope: .oneApp, cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.recordPage($1.1, of: $1.0) }
    static let removeDelivered = Member(
        "RemoveDelivered", takes: Arguments(app, identifiers), gives: nothing, scope: .oneApp,
        cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.removeDelivered(.identifiers($1.1), of: $1.0) }
    static let removeAllDelivered = Member(
        "RemoveAllDelivered", takes: Arguments(app), gives: nothing, scope: .oneApp,
        cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.removeDelivered(.all, of: $1) }
    static let setCategories = Member(
        "SetCategories", takes: Arguments(app, categories), gives: nothing, scope: .oneApp,
        cost: .keepsApp, isRepeatable: true, timeout: nil
    ) { try await $0.setCategories($1.1, of: $1.0) }
    static let categoriesOfApp = Member(
        "Categories", takes: Arguments(app),
        gives: .list("categories", NotificationCategory.record), scope: .oneApp,
        cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.categories(of: $1) }

    // MARK: What an app may do

    /// Its time is longer than a question is open, so that the answer always comes first.
    static let requestAuthorization = Member(
        "RequestAuthorization",
        takes: Arguments(app, Argument<Permission.Options>("options")),
        gives: Arguments(Argument<Bool>("granted")), scope: .oneApp, cost: .waitsForApp,
        isRepeatable: true, timeout: .seconds(120)
    ) { try await $0.requestAuthorization($1.1, for: $1.0) }
    static let settings = Member(
        "Settings", takes: Arguments(app),
        gives: Arguments(Argument("settings", ApplicationSettings.record)), scope: .oneApp,
        cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.settings(of: $1) }
    static let permissions = Member(
        "Permissions", takes: nothing,
        gives: .list("permissions", ApplicationPermission.record),
        scope: .everyApp, cost: .plain, isRepeatable: true, timeout: nil
    ) { service, _ in try await service.permissions() }
    static let decide = Member(
        "Decide", takes: Arguments(app, Argument<PermissionDecision>("decision")),
        gives: nothing, scope: .everyApp, cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.decide($1.1, for: $1.0) }
    static let setPreviews = Member(
        "SetPreviews", takes: Arguments(app, Argument<ShowPreviews>("previews")),
        gives: nothing, scope: .everyApp, cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.setPreviews($1.1, of: $1.0) }
    static let openNotificationSettings = Member(
        "OpenNotificationSettings", takes: Arguments(app), gives: nothing, scope: .oneApp,
        cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.openNotificationSettings(of: $1) }
    static let setBadge = Member(
        "SetBadge", takes: Arguments(app, Argument<Int>("count")), gives: nothing,
        scope: .oneApp, cost: .keepsApp, isRepeatable: true, timeout: nil
    ) { try await $0.setBadge($1.1, of: $1.0) }

    // MARK: What answers, waits and tells how the service is

    static let acknowledge = Member(
        "Acknowledge", takes: Arguments(app, Argument<Int64>("response")), gives: nothing,
        scope: .oneApp, cost: .plain, isRepeatable: true, timeout: nil
    ) { try await $0.acknowledge($1.1, of: $1.0) }
    static let decidePresentation = Member(
        "DecidePresentation",
        takes: Arguments(
            Argument<PresentationToken>("token"),
            Argument<PresentationOptions>("options", "u") {
                .uint32(UInt32(truncatingIfNeeded: $0.rawValue))
            } decode: {
                PresentationOptions(rawValue: UInt($0.uint32Value ?? 0))
            }), gives: nothing, scope: .ownToken, cost: .plain, isRepeatable: true, timeout: nil,
        bound: { try await $0.decidePresentation($1, $2) })
    /// A request may wait for years.
    static let waitUntilIdle = Member(
        "WaitUntilIdle", takes: Arguments(app, Argument<Bool>("popups")), gives: nothing,
        scope: .oneApp, cost: .waits, isRepeatable: true, timeout: .seconds(Int32.max)
    ) { try await $0.waitUntilIdle($1.0, includingPopups: $1.1) }
    /// Without content, the extension made nothing of it.
    static let finishExtension = Member(
        "FinishExtension",
        takes: Arguments(
            app, Argument<ExtensionToken>("token"),
            Argument<NotificationContent?>("content", "a{sv}") {
                content throws(NotificationError) in
                guard let content else { return .vardict([]) }
                try content.checkDepth()
                return NotificationContent.record.busValue(of: content)
            } decode: { value throws(NotificationError) in
                let isEmpty = value.vardictValue?.isEmpty ?? false
                return isEmpty
                    ? nil : try NotificationContent.record.value(of: value, "the content")
            }, attachments), gives: nothing, scope: .oneApp, cost: .plain, isRepeatable: true,
        timeout: nil, bound: { try await $0.finishExtension($1, $2) })
    static let watch = Member(
        "Watch", takes: Arguments(apps), gives: nothing, scope: .oneApp, cost: .plain,
        isRepeatable: true, timeout: nil, bound: { try await $0.watch($1, $2) })
    static let unwatch = Member(
        "Unwatch", takes: nothing, gives: nothing, scope: .centre, cost: .plain,
        isRepeatable: true, timeout: nil,
        bound: { exporter, _, sender in try await exporter.unwatch(sender) })
    static let status = Member(
        "Status", takes: nothing, gives: Arguments(Argument("status", ServiceStatus.record)),
        scope: .centre, cost: .plain, isRepeatable: true, timeout: nil
    ) { service, _ in try await service.status() }

    /// All of them, in the order of the XML.
    static let all: [any ExportedMember] = [
        connect, disconnect, add, addMany,
        push, remove, removeAll, pending,
        skip, snooze, delivered, records,
        removeDelivered, removeAllDelivered, setCategories, categoriesOfApp,
        requestAuthorization, settings, permissions, decide,
        setPreviews, openNotificationSettings, setBadge, acknowledge,
        decidePresentation, waitUntilIdle, finishExtension, watch,
        unwatch, status,
    ]
}

/// What the interface tells; each signal goes to one connection.
enum Signals {
    private static let notification = Argument("notification", DeliveredNotification.record)

    static let response = Signal(
        "Response", Arguments(Argument("response", NotificationResponse.record)))
    static let willPresent = Signal(
        "WillPresent", Arguments(Argument<PresentationToken>("token"), notification))
    static let extend = Signal(
        "Extend",
        Arguments(
            Argument<ApplicationID>("app"), Argument<ExtensionToken>("token"),
            Argument(
                "request", NotificationRequest.record,
                check: { request throws(NotificationError) in
                    try request.content.checkDepth()
                })))
    static let extensionWillExpire = Signal(
        "ExtensionWillExpire", Arguments(Argument<ExtensionToken>("token")))
    static let openSettings = Signal("OpenSettings", Arguments(notification))
    static let left = Signal(
        "Left", Arguments(Argument<ApplicationID>("app"), Argument<String>("identifier")))
    static let changed = Signal(
        "Changed",
        Arguments(
            Argument<ApplicationID?>(optional: "app"), Argument<Bool>("pending"),
            Argument<Bool>("delivered")))
    static let responded = Signal(
        "Responded",
        Arguments(
            Argument<ApplicationID>("app"), Argument("response", AnsweredNotification.record)))

    static let entries = [
        response.entry, willPresent.entry, extend.entry, extensionWillExpire.entry,
        openSettings.entry, left.entry, changed.entry, responded.entry,
    ]
}

/// What the service says of itself to an app that connects.
struct ServiceVersion: Hashable, Sendable {
    var version = ""
    var hosting = ""

    static let record = Record<ServiceVersion>([
        Field("version", \.version, ""),
        Field("hosting", \.hosting, ""),
    ]) { ServiceVersion() }
}

extension PresentationToken: BusScalar {
    static var signature: Signature { "t" }
}

extension ExtensionToken: BusScalar {
    static var signature: Signature { "t" }
}
