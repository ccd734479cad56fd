package import DesktopBus
package import NotificationModel

/// The interface `org.tocsin.NotificationCenter1`, in the order of its XML in `dbus/`.
///
/// Each member is one row. The exporter, access control, quotas, introspection and the client all
/// read this row.
///
/// A row says who performs the call. The exporter performs calls that need the caller's sessions,
/// files or rights; the service performs all other calls.
package enum Members {
    private static let app = Argument<ApplicationID>("app")
    /// One app; nil if the text is empty.
    ///
    /// In `Push`, nil means the app that the payload names. In other members, nil means all apps.
    private static let apps = Argument<ApplicationID?>(optional: "app")
    private static let identifier = Argument<String>("identifier")
    private static let identifiers = Argument<[String]>("identifiers")
    private static let categories = Argument("categories", list: NotificationCategory.record)
    private static let query = Arguments(apps, Argument("options", ListQuery.record))
    /// One descriptor for each attachment, in the order of the attachments.
    private static let attachments = Argument<[BusDescriptor]>("attachments", "ah") {
        .array(element: "h", $0.map { .descriptor($0) })
    } decode: {
        ($0.arrayValue ?? []).compactMap(\.descriptorValue)
    }
    private static let nothing = Arguments<Void>()
    fileprivate static let request = Argument(
        "request", NotificationRequest.record, check: checkDepth)
    @Sendable private static func checkDepth(
        of request: NotificationRequest
    ) throws(NotificationError) {
        try request.content.checkDepth()
    }

    /// The notifications with these identifiers; throws `limitReached` if there are too many.
    ///
    /// The number is limited, because the store looks up every identifier before it stores the next
    /// change.
    private static func selection(
        _ identifiers: [String], of app: ApplicationID
    ) throws(NotificationError) -> NotificationSelection {
        try Limits.requestsOfCall.check(identifiers.count, of: "\(app)")
        return .identifiers(identifiers)
    }

    // MARK: Sessions and pending requests

    package static let connect = Member(
        name: "Connect", input: Arguments(Argument("application", ApplicationIntroduction.record)),
        output: Arguments(Argument("service", ServiceVersion.record)), scope: .oneApp,
        cost: .savesApp, isRepeatable: true
    ) { try await $0.exporter.connect($1, $0.name) }
    package static let disconnect = Member(
        name: "Disconnect", input: Arguments(app), output: nothing, scope: .oneApp, cost: .plain,
        isRepeatable: true
    ) { try await $0.exporter.disconnect($1, $0.name) }
    package static let add = Member(
        name: "Add", input: Arguments(app, request, attachments), output: nothing,
        scope: .oneApp, cost: .savesApp, isRepeatable: false
    ) { try await $0.exporter.add($1, $0.name) }
    package static let addMany = Member(
        name: "AddMany",
        input: Arguments(
            app,
            Argument("requests", list: AddedRequest.record) { added throws(NotificationError) in
                try Members.checkDepth(of: added.request)
            }, attachments),
        output: nothing, scope: .oneApp, cost: .savesApp, isRepeatable: false
    ) { try await $0.exporter.addMany($1, $0.name) }
    /// Not repeatable: without a collapse identifier the notification would be shown twice.
    package static let push = Member(
        name: "Push",
        input: Arguments(
            apps,
            Argument<[UInt8]>("payload", "ay", encode: { .bytes($0) }) { $0.bytesValue ?? [] },
            Argument("options", PushHeaders.record)),
        output: Arguments(Argument<String?>(optional: "identifier")), scope: .oneApp,
        cost: .savesApp, isRepeatable: false
    ) { try await $0.service.push($1.1, headers: $1.2, for: $1.0) }
    package static let registerForPushes = Member(
        name: "RegisterForPushes",
        input: Arguments(app, Argument<String?>(optional: "serverKey")),
        output: Arguments(
            Argument<[UInt8]>("subscription", "ay", encode: { .bytes($0) }) { $0.bytesValue ?? [] }),
        scope: .oneApp, cost: .waitsForApp, isRepeatable: true
    ) { try await $0.service.registerForPushes($1.0, serverKey: $1.1) }
    package static let unregisterFromPushes = Member(
        name: "UnregisterFromPushes", input: Arguments(app), output: nothing, scope: .oneApp,
        cost: .plain, isRepeatable: true
    ) { try await $0.service.unregisterFromPushes($1) }
    package static let choosePushDistributor = Member(
        name: "ChoosePushDistributor", input: Arguments(Argument<String?>(optional: "name")),
        output: nothing, scope: .everyApp, cost: .plain, isRepeatable: true
    ) { try await $0.service.choosePushDistributor($1) }
    package static let remove = Member(
        name: "Remove", input: Arguments(app, identifiers), output: nothing, scope: .oneApp,
        cost: .plain, isRepeatable: true
    ) { try await $0.service.removePending(Members.selection($1.1, of: $1.0), of: $1.0) }
    package static let removeAll = Member(
        name: "RemoveAll", input: Arguments(app), output: nothing, scope: .oneApp, cost: .plain,
        isRepeatable: true
    ) { try await $0.service.removePending(.all, of: $1) }
    package static let pending = Member(
        name: "Pending", input: query,
        output: Arguments(page: "notifications", PendingNotification.record), scope: .oneApp,
        cost: .page, isRepeatable: true
    ) { try await $0.service.pendingPage($1.1, of: $1.0) }
    package static let pendingLines = Member(
        name: "PendingLines", input: query,
        output: Arguments(
            Argument<[UInt8]>("lines", "ay", encode: { .bytes($0) }) { $0.bytesValue ?? [] },
            Argument<String>("next")),
        scope: .oneApp, cost: .page, isRepeatable: true
    ) {
        let page = try await $0.service.pendingLines($1.1, of: $1.0)
        return (page.lines, page.next?.rawValue ?? "")
    }
    /// Not repeatable: a second call would skip another date.
    package static let skip = Member(
        name: "Skip", input: Arguments(app, identifier),
        output: Arguments(Argument("dates", SkippedOccurrence.record)), scope: .oneApp,
        cost: .plain, isRepeatable: false
    ) { try await $0.service.skip($1.1, of: $1.0) }
    /// Not repeatable: a second call would snooze again.
    package static let snooze = Member(
        name: "Snooze", input: Arguments(app, identifier, Argument<Double>("seconds")),
        output: Arguments(Argument<Instant>("date")), scope: .oneApp, cost: .plain,
        isRepeatable: false
    ) { try await $0.service.snooze($1.1, of: $1.0, for: $1.2) }

    // MARK: Delivered notifications, records and categories

    package static let delivered = Member(
        name: "Delivered", input: query,
        output: Arguments(page: "notifications", DeliveredNotification.record), scope: .oneApp,
        cost: .page, isRepeatable: true
    ) { try await $0.service.deliveredPage($1.1, of: $1.0) }
    package static let records = Member(
        name: "Records", input: query,
        output: Arguments(page: "records", NotificationRecord.record), scope: .oneApp, cost: .page,
        isRepeatable: true
    ) { try await $0.service.recordPage($1.1, of: $1.0) }
    package static let removeDelivered = Member(
        name: "RemoveDelivered", input: Arguments(app, identifiers), output: nothing,
        scope: .oneApp, cost: .plain, isRepeatable: true
    ) { try await $0.service.removeDelivered(Members.selection($1.1, of: $1.0), of: $1.0) }
    package static let removeAllDelivered = Member(
        name: "RemoveAllDelivered", input: Arguments(app), output: nothing, scope: .oneApp,
        cost: .plain, isRepeatable: true
    ) { try await $0.service.removeDelivered(.all, of: $1) }
    package static let setCategories = Member(
        name: "SetCategories", input: Arguments(app, categories), output: nothing, scope: .oneApp,
        cost: .savesApp, isRepeatable: true
    ) { try await $0.service.setCategories($1.1, of: $1.0) }
    package static let categoriesOfApp = Member(
        name: "Categories", input: Arguments(app),
        output: Arguments(Argument("categories", list: NotificationCategory.record)),
        scope: .oneApp, cost: .plain, isRepeatable: true
    ) { try await $0.service.categories(of: $1) }

    // MARK: Permissions and settings

    package static let requestAuthorization = Member(
        name: "RequestAuthorization",
        input: Arguments(app, Argument<Permission.Options>("options")),
        output: Arguments(Argument<Bool>("granted")), scope: .oneApp, cost: .waitsForApp,
        isRepeatable: true
    ) { try await $0.service.requestAuthorization($1.1, for: $1.0) }
    package static let requestLocation = Member(
        name: "RequestLocation", input: Arguments(app, Argument<Bool>("always")),
        output: Arguments(Argument<LocationPermission>("location")), scope: .oneApp,
        cost: .waitsForApp, isRepeatable: true
    ) { try await $0.exporter.requestLocation($1, $0.name) }
    package static let settings = Member(
        name: "Settings", input: Arguments(app),
        output: Arguments(Argument("settings", ApplicationSettings.record)), scope: .oneApp,
        cost: .plain, isRepeatable: true
    ) { try await $0.service.settings(of: $1) }
    package static let permissions = Member(
        name: "Permissions", input: nothing,
        output: Arguments(Argument("permissions", list: ApplicationPermission.record)),
        scope: .everyApp, cost: .plain, isRepeatable: true
    ) { caller, _ in try await caller.service.permissions() }
    package static let decide = Member(
        name: "Decide", input: Arguments(app, Argument<PermissionDecision>("decision")),
        output: nothing, scope: .everyApp, cost: .plain, isRepeatable: true
    ) { try await $0.service.decide($1.1, for: $1.0) }
    package static let setPreviews = Member(
        name: "SetPreviews", input: Arguments(app, Argument<ShowPreviews>("previews")),
        output: nothing, scope: .everyApp, cost: .plain, isRepeatable: true
    ) { try await $0.service.setPreviews($1.1, of: $1.0) }
    package static let openNotificationSettings = Member(
        name: "OpenNotificationSettings", input: Arguments(app), output: nothing, scope: .oneApp,
        cost: .plain, isRepeatable: true
    ) { try await $0.service.openNotificationSettings(of: $1) }
    package static let setBadge = Member(
        name: "SetBadge", input: Arguments(app, Argument<Int>("count")), output: nothing,
        scope: .oneApp, cost: .savesApp, isRepeatable: true
    ) { try await $0.service.setBadge($1.1, of: $1.0) }
    package static let badge = Member(
        name: "Badge", input: Arguments(app), output: Arguments(Argument<Int>("count")),
        scope: .oneApp, cost: .plain, isRepeatable: true
    ) { try await $0.service.badge(of: $1) }

    // MARK: Responses, waits and status

    package static let acknowledge = Member(
        name: "Acknowledge", input: Arguments(app, Argument<Int64>("response")), output: nothing,
        scope: .oneApp, cost: .plain, isRepeatable: true
    ) { try await $0.service.acknowledge($1.1, of: $1.0) }
    package static let decidePresentation = Member(
        name: "DecidePresentation",
        input: Arguments(
            Argument<PresentationToken>("token"),
            Argument<PresentationOptions>("options", "u") {
                .uint32(UInt32(truncatingIfNeeded: $0.rawValue))
            } decode: {
                PresentationOptions(rawValue: UInt($0.uint32Value ?? 0))
            }),
        output: nothing, scope: .ownToken, cost: .plain, isRepeatable: true
    ) { try await $0.exporter.decidePresentation($1, $0.name) }
    package static let waitUntilIdle = Member(
        name: "WaitUntilIdle", input: Arguments(app, Argument<Bool>("popups")), output: nothing,
        scope: .oneApp, cost: .waits, isRepeatable: true
    ) { try await $0.service.waitUntilIdle($1.0, includingPopups: $1.1) }
    /// An empty content means that the extension changed nothing; the original is shown.
    package static let finishExtension = Member(
        name: "FinishExtension",
        input: Arguments(
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
            }, attachments),
        output: nothing, scope: .oneApp, cost: .plain, isRepeatable: true
    ) { try await $0.exporter.finishExtension($1, $0.name) }
    package static let watch = Member(
        name: "Watch", input: Arguments(apps), output: nothing, scope: .oneApp, cost: .plain,
        isRepeatable: true
    ) { try await $0.exporter.watch($1, $0.name) }
    package static let unwatch = Member(
        name: "Unwatch", input: nothing, output: nothing, scope: .centre, cost: .plain,
        isRepeatable: true
    ) { caller, _ in try await caller.exporter.unwatch(caller.name) }
    package static let status = Member(
        name: "Status", input: nothing, output: Arguments(Argument("status", ServiceStatus.record)),
        scope: .centre, cost: .plain, isRepeatable: true
    ) { caller, _ in try await caller.service.status() }

    /// All members, in the order of the XML.
    static let all: [@Sendable (ServiceExporter) -> MethodEntry] = [
        connect.row, disconnect.row, add.row, addMany.row,
        push.row, registerForPushes.row, unregisterFromPushes.row, choosePushDistributor.row,
        remove.row, removeAll.row, pending.row, pendingLines.row,
        skip.row, snooze.row, delivered.row, records.row,
        removeDelivered.row, removeAllDelivered.row, setCategories.row, categoriesOfApp.row,
        requestAuthorization.row, requestLocation.row, settings.row, permissions.row, decide.row,
        setPreviews.row, openNotificationSettings.row, setBadge.row, badge.row, acknowledge.row,
        decidePresentation.row, waitUntilIdle.row, finishExtension.row, watch.row,
        unwatch.row, status.row,
    ]
}

/// The signals of the interface; each signal goes to one connection.
enum Signals {
    private static let notification = Argument("notification", DeliveredNotification.record)

    static let response = Signal(
        "Response", Arguments(Argument("response", NotificationResponse.record)))
    static let willPresent = Signal(
        "WillPresent", Arguments(Argument<PresentationToken>("token"), notification))
    static let extend = Signal(
        "Extend",
        Arguments(
            Argument<ApplicationID>("app"), Argument<ExtensionToken>("token"), Members.request))
    static let extensionWillExpire = Signal(
        "ExtensionWillExpire", Arguments(Argument<ExtensionToken>("token")))
    static let openSettings = Signal("OpenSettings", Arguments(notification))
    static let left = Signal(
        "Left", Arguments(Argument<ApplicationID>("app"), Argument<String>("identifier")))
    static let pushed = Signal(
        "Pushed", Arguments(Argument<ApplicationID>("app"), bytes("payload")))
    /// The subscription is empty if the registration has ended.
    static let subscriptionChanged = Signal(
        "SubscriptionChanged", Arguments(Argument<ApplicationID>("app"), bytes("subscription")))
    private static func bytes(_ name: String) -> Argument<[UInt8]> {
        Argument(name, "ay", encode: { .bytes($0) }) { $0.bytesValue ?? [] }
    }
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
        openSettings.entry, left.entry, pushed.entry, subscriptionChanged.entry, changed.entry,
        responded.entry,
    ]
}

/// A request of `AddMany`.
package struct AddedRequest: Hashable, Sendable {
    package var request: NotificationRequest
    /// See `RequestWithFiles.nextFire`.
    package var nextFire: Instant?

    package static let record = Record<AddedRequest>([
        Field(inline: NotificationRequest.fields, \.request),
        Field("nextFire", \.nextFire),
    ]) {
        AddedRequest(
            request: NotificationRequest(identifier: "", content: NotificationContent()))
    }
}

/// The version and the host of a service, for an app that connects.
package struct ServiceVersion: Hashable, Sendable {
    var version = ""
    var hosting = ""
    package static let unknown = ServiceVersion()

    package static let record = Record<ServiceVersion>([
        Field("version", \.version, ""),
        Field("hosting", \.hosting, ""),
    ]) { ServiceVersion() }
}
