// The roles of a notification centre, wherever it runs: the engine in this process, or the daemon.
//
// A success means the change is on disk. Calls of one task take effect in their order.

/// Keeps requests: the notification centre, or the inbox of one that comes later.
public protocol RequestKeeping: Sendable {
    /// Stores a request, in place of a pending one of the same identifier.
    ///
    /// The files belong to the content's attachments, one each, in the same order.
    func add(
        _ request: NotificationRequest, attachments: [OpenFile], for app: ApplicationID
    ) async throws(NotificationError)

    /// Stores many requests, at most `RequestWithFiles.limit`: either all of them or none.
    ///
    /// Of those with the same identifier the last one counts.
    func add(
        _ requests: [RequestWithFiles], for app: ApplicationID
    ) async throws(NotificationError)

    /// Removes requests that wait.
    func removePending(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError)

    /// A page of the requests that wait, of one app or of all.
    ///
    /// Pages go by app and identifier, so what is added, removed, replaced or fires between two of
    /// them makes no request come twice, and none that is there throughout be missed. Within a page
    /// they are in the order in which they will fire; see also `pending(of:identifiers:)`.
    func pendingPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<PendingNotification>

    /// Maps the requests that wait, of one app or of all, in the order in which they will fire.
    ///
    /// An `element` that keeps only what is needed saves most of the memory of a long list.
    /// Identifiers restrict it to those, of an app that is named.
    func pending<Element: Sendable>(
        of app: ApplicationID?, identifiers: [String]?,
        as element: @escaping @Sendable (PendingNotification) -> Element
    ) async throws(NotificationError) -> [Element]
}

/// Looks after requests until they are shown, and after what was shown.
public protocol RequestScheduling: RequestKeeping {
    /// The page that `pendingPage` gives, as JSON lines.
    func pendingLines(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> PendingLines

    /// Passes over the next date of a repeating request, which goes on with the one after it.
    ///
    /// It stays skipped through a restart and a change of zone. One of a rule's `count` is used up.
    /// A request that has no date after it is refused: it can be removed.
    func skip(
        _ identifier: String, of app: ApplicationID
    ) async throws(NotificationError) -> SkippedOccurrence

    /// Takes a delivered notification away and shows it again after so many seconds; or puts the
    /// next date of a waiting request off by so much, once. Gives the date on which it fires.
    ///
    /// Content, actions and attachments stay. Where a repeating request of the same identifier
    /// waits, that one fires once more, and its dates up to then are passed over. One that fires
    /// once and waits is not replaced: then this is refused.
    func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) async throws(NotificationError) -> Instant

    /// Removes delivered notifications and takes their popups away.
    func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError)

    /// A page of the delivered notifications, of one app or of all, newest first.
    ///
    /// A notification delivered between two pages is newer than both, and in neither.
    func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<DeliveredNotification>

    /// A page of the records of what came to nothing, of one app or of all, newest first.
    ///
    /// With all apps come those about the store itself. A record that is added between two pages is
    /// newer than both, and in neither.
    func recordPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<NotificationRecord>

    /// Replaces the whole set of an app's categories.
    func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) async throws(NotificationError)

    /// An app's categories.
    func categories(
        of app: ApplicationID
    ) async throws(NotificationError) -> [NotificationCategory]
}

/// Brings responses and questions to the apps that listen.
public protocol ResponseSessions: Sendable {
    /// Registers an app that listens: stored responses come first, in order, then new ones.
    ///
    /// `asksBeforePresenting` makes the service ask this app before each popup. With identifiers
    /// the session hears of those notifications only, and before any session that hears of all:
    /// so two processes of one app can each wait for an answer of its own.
    func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool,
        identifiers: Set<String>?,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) async throws(NotificationError) -> ServiceSession

    /// Changes whether the app is asked before each popup.
    func setAsksBeforePresenting(_ asks: Bool, in session: ServiceSession) async

    /// Changes whether the app's own service extension is given its pushed notifications.
    func setExtendsPushes(_ extends: Bool, in session: ServiceSession) async

    /// Ends a session; what it did not acknowledge is kept.
    func disconnect(_ session: ServiceSession) async

    /// Says that the app is done with a response, which is then forgotten.
    func acknowledge(_ response: Int64, of app: ApplicationID) async throws(NotificationError)

    /// Answers a question whether a notification may be shown.
    func answer(_ token: PresentationToken, with options: PresentationOptions) async
}

/// Asks and decides what an app may do.
public protocol PermissionControl: Sendable {
    /// Asks the user whether the app may notify, unless that is decided; returns whether it may.
    ///
    /// Returns false where the user does not answer; the next request then asks again. Concurrent
    /// requests share the answer to the first one.
    func requestAuthorization(
        _ options: Permission.Options, for app: ApplicationID
    ) async throws(NotificationError) -> Bool

    /// How an app may notify, and what the server can do.
    func settings(of app: ApplicationID) async throws(NotificationError) -> ApplicationSettings

    /// The apps that the centre knows, with their permissions, by their ids: those that asked, that
    /// were decided about, that connected, or that have notifications.
    func permissions() async throws(NotificationError) -> [ApplicationPermission]

    /// Records the user's decision about an app.
    func decide(
        _ decision: PermissionDecision, for app: ApplicationID
    ) async throws(NotificationError)

    /// Sets when the texts of an app's notifications are shown, on behalf of the user.
    func setPreviews(
        _ previews: ShowPreviews, of app: ApplicationID
    ) async throws(NotificationError)

    /// Opens the page of the desktop's settings about notifications, that of the app if there is one.
    func openNotificationSettings(of app: ApplicationID) async throws(NotificationError)

    /// Sets the number on the app's icon; 0 removes it.
    func setBadge(_ count: Int, of app: ApplicationID) async throws(NotificationError)
}

/// Takes remote notifications.
public protocol PushReceiving: Sendable {
    /// Takes a remote notification, a payload as APNs takes it; it is shown at once.
    ///
    /// Without an app the payload names it, as `simctl` files do. Gives the identifier of the
    /// request, nil where the payload has nothing to show.
    func push(
        _ payload: [UInt8], headers: PushHeaders, for app: ApplicationID?
    ) async throws(NotificationError) -> String?

    /// Gives what the app's service extension made of a pushed notification; nil where it made
    /// nothing, and the original is shown. Only the first answer to a token counts.
    func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: ExtendedContent?
    ) async throws(NotificationError)
}

/// Tells how the service is and what changes.
public protocol ServiceInspection: Sendable {
    /// Hears of every change of the lists and of every answer, of one app or of all.
    ///
    /// Many changes of an app within a fifth of a second are told as one. Answers belong to their
    /// apps all the same, and only these acknowledge them.
    func watch(
        _ app: ApplicationID?, listener: @escaping @Sendable (ServiceChange) -> Void
    ) async throws(NotificationError) -> ServiceSession

    /// Ends what `watch` began.
    func unwatch(_ session: ServiceSession) async

    /// Returns when nothing of the app waits, is on its way, or was answered and not acknowledged.
    ///
    /// With popups, those that the user may still answer count, too.
    func waitUntilIdle(
        _ app: ApplicationID, includingPopups: Bool
    ) async throws(NotificationError)

    /// How the service is.
    func status() async throws(NotificationError) -> ServiceStatus
}

/// The notification centre: its whole service to apps, to the user and to the tool.
public protocol NotificationService: Actor, RequestScheduling, ResponseSessions, PermissionControl,
    PushReceiving, ServiceInspection
{}

extension NotificationService {
    /// Takes a remote notification that has no header but its collapse identifier.
    public func push(
        _ payload: [UInt8], collapseIdentifier: String?, for app: ApplicationID?
    ) async throws(NotificationError) -> String? {
        try await push(
            payload, headers: PushHeaders(collapseIdentifier: collapseIdentifier), for: app)
    }

    /// Registers an app that listens to the answers of all its notifications.
    public func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        try await connect(
            application, asksBeforePresenting: asksBeforePresenting, identifiers: nil,
            listener: listener)
    }
}

// Whole lists, put together of their pages.
extension RequestKeeping {
    /// The requests that wait, of one app or of all, in the order in which they will fire.
    ///
    /// Identifiers restrict it to those, of an app that is named.
    public func pending(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [PendingNotification] {
        try await pending(of: app, identifiers: identifiers) { $0 }
    }

    /// Maps whole pages; a service that has something faster does that instead.
    public func pending<Element: Sendable>(
        of app: ApplicationID?, identifiers: [String]?,
        as element: @escaping @Sendable (PendingNotification) -> Element
    ) async throws(NotificationError) -> [Element] {
        try await whole(identifiers) { query async throws(NotificationError) in
            try await pendingPage(query, of: app)
        }.sorted(by: PendingNotification.firesEarlier).map(element)
    }
}

extension RequestScheduling {

    /// The delivered notifications, of one app or of all, newest first.
    ///
    /// Identifiers restrict it to those, of an app that is named.
    public func delivered(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [DeliveredNotification] {
        try await whole(identifiers) { query async throws(NotificationError) in
            try await deliveredPage(query, of: app)
        }
    }

    /// The records of what came to nothing, of one app or of all, newest first.
    ///
    /// Identifiers restrict it to those, of an app that is named.
    public func records(
        of app: ApplicationID?, identifiers: [String]? = nil
    ) async throws(NotificationError) -> [NotificationRecord] {
        try await whole(identifiers) { query async throws(NotificationError) in
            try await recordPage(query, of: app)
        }
    }
}

/// A whole list of its pages.
private func whole<Element>(
    _ identifiers: [String]?,
    _ page:
        nonisolated(nonsending) (ListQuery) async throws(NotificationError)
        -> ListPage<Element>
) async throws(NotificationError) -> [Element] {
    var query = ListQuery(identifiers: identifiers)
    var list: [Element] = []
    repeat {
        let next = try await page(query)
        list += next.notifications
        query.after = next.next
    } while query.after != nil
    return list
}
