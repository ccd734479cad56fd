// The roles of a notification centre, which is the engine in this process or the daemon.
//
// When a call that changes something succeeds, the change is on disk. Calls of one task take effect
// in their order.

/// Stores requests: in the notification centre, or in its inbox.
///
/// The inbox is a folder for requests that the daemon imports later.
public protocol RequestKeeping: Sendable {
    /// Stores a request, which replaces a pending request with the same identifier.
    ///
    /// `attachments` has one file for each attachment of the content, in the same order.
    ///
    /// - Throws: `notAllowed` if the app may not notify; `invalidArgument`, `badgeInvalid` or
    ///   `noDate` if the request cannot be used; an attachment error if a file cannot be used;
    ///   `limitReached` if a limit is exceeded; `noServer` if the request requires a server and
    ///   none runs; `storeUnavailable` or `noSpace` if the store fails; `noDaemon` or `noBus` if
    ///   the daemon cannot be reached.
    func add(
        _ request: NotificationRequest, attachments: [OpenFile], for app: ApplicationID
    ) async throws(NotificationError)

    /// Stores many requests, at most `RequestWithFiles.limit`: either all of them or none.
    ///
    /// If several requests have the same identifier, only the last of them is stored.
    ///
    /// - Throws: The errors of `add` for one request; the message names the request.
    func add(
        _ requests: [RequestWithFiles], for app: ApplicationID
    ) async throws(NotificationError)

    /// Removes pending requests.
    ///
    /// - Throws: `storeUnavailable` or `noSpace` if the store fails; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func removePending(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError)

    /// A page of the pending requests, of one app or of all.
    ///
    /// Each page covers a range of apps and identifiers. So a request that stays pending is in
    /// exactly one page, even if the list changes between two pages. Within a page, requests are in
    /// the order in which they will fire; see also `pending(of:identifiers:)`.
    ///
    /// - Throws: `invalidArgument` if the query is wrong; `limitReached` if it has too many
    ///   identifiers; `storeUnavailable` if the store cannot be read; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func pendingPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<PendingNotification>

    /// Maps the pending requests, of one app or of all, in the order in which they will fire.
    ///
    /// If `Element` is small, a long list needs much less memory. If `identifiers` is set, `app`
    /// must be set, too.
    ///
    /// - Throws: The errors of `pendingPage(_:of:)`.
    func pending<Element: Sendable>(
        of app: ApplicationID?, identifiers: [String]?,
        as element: @escaping @Sendable (PendingNotification) -> Element
    ) async throws(NotificationError) -> [Element]
}

/// Schedules requests, and keeps notifications after they were shown.
///
/// Every list can be read in pages while other calls change it.
public protocol RequestScheduling: RequestKeeping {
    /// The page that `pendingPage` returns, as JSON lines.
    ///
    /// - Throws: The errors of `pendingPage`.
    func pendingLines(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> PendingLines

    /// Skips the next date of a repeating request; the request continues with the following date.
    ///
    /// The date stays skipped after a restart and after a change of time zone. The `count` of a
    /// rule includes the skipped date.
    ///
    /// - Throws: `invalidArgument` if the request is not pending, is being presented, or has no
    ///   date after the skipped one; `storeUnavailable` or `noSpace` if the store fails; `noDaemon`
    ///   or `noBus` if the daemon cannot be reached.
    func skip(
        _ identifier: String, of app: ApplicationID
    ) async throws(NotificationError) -> SkippedOccurrence

    /// Shows a delivered notification again after `seconds`, or delays a pending request once.
    ///
    /// Returns the new date. For a delivered notification, it is `seconds` from now. For a pending
    /// request, it is `seconds` from the request's date, or from now if that date has passed.
    /// Content, actions and attachments stay.
    ///
    /// If a pending request of the same identifier repeats or is a rule, no second request is
    /// added. The pending request skips its regular dates before the new date, fires at the new
    /// date, and then continues.
    ///
    /// - Throws: `invalidArgument` if there is no such notification, or if the snooze would replace
    ///   a pending request that does not repeat (a rule counts as repeating); `notAllowed` if the
    ///   app may not notify; `limitReached` if a limit is exceeded; `storeUnavailable` or `noSpace`
    ///   if the store fails; `noDaemon` or `noBus` if the daemon cannot be reached.
    func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) async throws(NotificationError) -> Instant

    /// Removes delivered notifications, and closes their popups.
    ///
    /// - Throws: `storeUnavailable` or `noSpace` if the store fails; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError)

    /// A page of the delivered notifications, of one app or of all, newest first.
    ///
    /// A notification that is delivered between two calls is in none of the following pages.
    ///
    /// - Throws: `invalidArgument` if the query is wrong; `limitReached` if it has too many
    ///   identifiers; `storeUnavailable` if the store cannot be read; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<DeliveredNotification>

    /// A page of the records of missed notifications, of one app or of all, newest first.
    ///
    /// If `app` is nil, the page includes the records about the store itself. A record that is
    /// added between two calls is in none of the following pages.
    ///
    /// - Throws: `invalidArgument` if the query is wrong; `limitReached` if it has too many
    ///   identifiers; `storeUnavailable` if the store cannot be read; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func recordPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<NotificationRecord>

    /// Replaces the whole set of an app's categories.
    ///
    /// - Throws: `invalidArgument` if a category cannot be used; `limitReached` if a limit is
    ///   exceeded; `storeUnavailable` or `noSpace` if the store fails; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) async throws(NotificationError)

    /// An app's categories.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func categories(
        of app: ApplicationID
    ) async throws(NotificationError) -> [NotificationCategory]
}

/// Delivers responses and questions to the apps that listen.
public protocol ResponseSessions: Sendable {
    /// Registers an app that listens: it gets stored responses first, in order, then new ones.
    ///
    /// `asksBeforePresenting` makes the service ask this app before each popup. If
    /// `handlesResponses` is false, the session gets no response, and the responses wait until a
    /// session of the app handles them. If `identifiers` is set, the returned session gets only the
    /// responses to these notifications. Sessions without identifiers then do not get these
    /// responses. So two processes of one app can each wait for their own response.
    ///
    /// - Throws: `invalidArgument` if the identity or the identifiers cannot be used;
    ///   `limitReached` if there are too many apps; `storeUnavailable` or `noSpace` if the store
    ///   fails; `noDaemon` or `noBus` if the daemon cannot be reached.
    func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool, handlesResponses: Bool,
        identifiers: Set<String>?,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) async throws(NotificationError) -> ServiceSession

    /// Changes whether the app is asked before each popup, and whether it handles responses.
    func setAsksBeforePresenting(
        _ asks: Bool, handlesResponses: Bool, in session: ServiceSession
    ) async

    /// Changes whether the app's own service extension gets the app's pushed notifications.
    func setExtendsPushes(_ extends: Bool, in session: ServiceSession) async

    /// Ends a session; the service keeps the responses that the app did not acknowledge.
    func disconnect(_ session: ServiceSession) async

    /// Reports that the app has processed a response, which the service then forgets.
    ///
    /// - Throws: `storeUnavailable` or `noSpace` if the store fails; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func acknowledge(_ response: Int64, of app: ApplicationID) async throws(NotificationError)

    /// Answers the question whether a notification may be shown.
    func answer(_ token: PresentationToken, with options: PresentationOptions) async
}

/// Asks for the user's permission, and records the user's decisions.
public protocol PermissionControl: Sendable {
    /// If the user has not decided, asks whether the app may notify; returns the decision.
    ///
    /// Returns false if the user does not answer; the next call asks again. Concurrent calls share
    /// the answer to the first call.
    ///
    /// - Throws: `noServer` or `serverRefused` if the user cannot be asked; `protocolViolation` if
    ///   the dialog program fails; `limitReached` if there are too many apps; `noDaemon` if the
    ///   call is cancelled, the service ends or the daemon cannot be reached; `noBus` if the bus is
    ///   lost; `storeUnavailable` or `noSpace` if the store fails.
    func requestAuthorization(
        _ options: Permission.Options, for app: ApplicationID
    ) async throws(NotificationError) -> Bool

    /// If the user has not decided, asks whether the app may know the location; returns the answer.
    ///
    /// The answer is `notDetermined` if the user does not answer; the next request then asks again.
    ///
    /// - Throws: The errors of `requestAuthorization(_:for:)`; `accessDenied` if the app runs in a
    ///   sandbox.
    func requestLocation(
        always: Bool, for app: ApplicationID
    ) async throws(NotificationError) -> LocationPermission

    /// How an app may notify, and what the server can do.
    ///
    /// - Throws: `noDaemon` or `noBus` if the daemon cannot be reached.
    func settings(of app: ApplicationID) async throws(NotificationError) -> ApplicationSettings

    /// The apps that the centre knows, with their permissions, sorted by id.
    ///
    /// The centre knows each app that asked for permission, connected or has notifications. It also
    /// knows each app about which the user decided.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func permissions() async throws(NotificationError) -> [ApplicationPermission]

    /// Records the user's decision about an app.
    ///
    /// - Throws: `accessDenied` if the caller may not decide for the user; `limitReached` if there
    ///   are too many apps; `noSettings` if the desktop does not accept the change;
    ///   `storeUnavailable` or `noSpace` if the store fails; `noDaemon` or `noBus` if the daemon
    ///   cannot be reached.
    func decide(
        _ decision: PermissionDecision, for app: ApplicationID
    ) async throws(NotificationError)

    /// Sets when the texts of an app's notifications are shown, on behalf of the user.
    ///
    /// - Throws: `accessDenied` if the caller may not decide for the user; `limitReached` if there
    ///   are too many apps; `noSettings` if the desktop does not accept the change;
    ///   `storeUnavailable` or `noSpace` if the store fails; `noDaemon` or `noBus` if the daemon
    ///   cannot be reached.
    func setPreviews(
        _ previews: ShowPreviews, of app: ApplicationID
    ) async throws(NotificationError)

    /// Opens the desktop's notification settings, on the app's page if the desktop has such a page.
    ///
    /// - Throws: `noSettings` if no page can be opened; `noDaemon` or `noBus` if the daemon cannot
    ///   be reached.
    func openNotificationSettings(of app: ApplicationID) async throws(NotificationError)

    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// - Throws: `badgeInvalid` if the number is out of range; `notAllowed` if the app may not
    ///   notify, or did not ask for badges; `limitReached` if there are too many apps;
    ///   `storeUnavailable` or `noSpace` if the store fails; `noDaemon` or `noBus` if the daemon
    ///   cannot be reached.
    func setBadge(_ count: Int, of app: ApplicationID) async throws(NotificationError)

    /// The number on the app's icon, which a delivered notification may have set; 0 for none.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read; `noDaemon` or `noBus` if the daemon
    ///   cannot be reached.
    func badge(of app: ApplicationID) async throws(NotificationError) -> Int
}

/// Accepts remote notifications, and registers apps for them.
public protocol PushReceiving: Sendable {
    /// Registers an app for remote notifications, and returns its subscription.
    ///
    /// The subscription is the JSON of a W3C PushSubscription, which the app's server needs. An app
    /// that is already registered gets its present subscription. `serverKey` is the public VAPID
    /// key of the server (RFC 8292) in Base64URL; a call with another key replaces the
    /// registration.
    ///
    /// - Throws: `noDistributor` if no push distributor can be used; `distributorRefused` if the
    ///   distributor refuses or does not answer; `invalidArgument` if the key cannot be used;
    ///   `limitReached` if there are too many apps; `storeUnavailable` or `noSpace` if the store
    ///   fails; `noDaemon` if the centre runs inside an app, or the daemon cannot be reached;
    ///   `noBus` if the bus is lost.
    func registerForPushes(
        _ app: ApplicationID, serverKey: String?
    ) async throws(NotificationError) -> [UInt8]

    /// Ends an app's registration for remote notifications, if it has one.
    ///
    /// - Throws: `storeUnavailable` or `noSpace` if the store fails; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func unregisterFromPushes(_ app: ApplicationID) async throws(NotificationError)

    /// Chooses the push distributor for all apps, on behalf of the user; nil leaves the choice to
    /// the centre.
    ///
    /// - Throws: `accessDenied` if the caller may not decide for the user; `noDistributor` if no
    ///   such distributor runs or can be started; `storeUnavailable` or `noSpace` if the store
    ///   fails; `noDaemon` or `noBus` if the daemon cannot be reached.
    func choosePushDistributor(_ name: String?) async throws(NotificationError)

    /// Accepts a remote notification with a payload as for APNs, and shows it at once.
    ///
    /// If `app` is nil, the payload names the app, as `simctl` files do. Returns the identifier of
    /// the request; nil if the payload has no text to show.
    ///
    /// - Throws: `invalidArgument` if the payload or a header cannot be used, or no app is named;
    ///   `limitReached` if a limit is exceeded; `storeUnavailable` or `noSpace` if the store fails;
    ///   `noDaemon` or `noBus` if the daemon cannot be reached.
    func push(
        _ payload: [UInt8], headers: PushHeaders, for app: ApplicationID?
    ) async throws(NotificationError) -> String?

    /// Passes on the content that the app's service extension made of a pushed notification.
    ///
    /// Nil means that the extension made no content; the centre then shows the original. The centre
    /// ignores every answer to a token after the first answer.
    ///
    /// - Throws: `invalidArgument` or an attachment error if the content cannot be used; the centre
    ///   then shows the original. `noSpace` if the disk is full; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: ExtendedContent?
    ) async throws(NotificationError)
}

/// Reports the state of the service and its changes.
public protocol ServiceInspection: Sendable {
    /// Watches every change of the lists and every response, of one app or of all.
    ///
    /// The service collects changes for a fifth of a second, and reports those of one app together.
    /// A watcher never acknowledges a response; only the app of the response does.
    ///
    /// - Throws: `noDaemon` or `noBus` if the daemon cannot be reached.
    func watch(
        _ app: ApplicationID?, listener: @escaping @Sendable (ServiceChange) -> Void
    ) async throws(NotificationError) -> ServiceSession

    /// Ends a watch.
    func unwatch(_ session: ServiceSession) async

    /// Returns when the app has no pending request.
    ///
    /// With `includingPopups`, the call also waits while a popup of the app can get a response, and
    /// until the app has acknowledged every response.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read; `noDaemon` if the call is
    ///   cancelled, the service ends or the daemon cannot be reached; `noBus` if the bus is lost.
    func waitUntilIdle(
        _ app: ApplicationID, includingPopups: Bool
    ) async throws(NotificationError)

    /// The state of the service.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read; `noDaemon` or `noBus` if the
    ///   daemon cannot be reached.
    func status() async throws(NotificationError) -> ServiceStatus
}

/// The notification centre: its whole service to apps, to the user and to the tool.
public protocol NotificationService: Actor, RequestScheduling, ResponseSessions, PermissionControl,
    PushReceiving, ServiceInspection
{}

extension NotificationService {
    /// Accepts a remote notification whose only header is the collapse identifier.
    ///
    /// - Throws: The errors of `push(_:headers:for:)`.
    public func push(
        _ payload: [UInt8], collapseIdentifier: String?, for app: ApplicationID?
    ) async throws(NotificationError) -> String? {
        try await push(
            payload, headers: PushHeaders(collapseIdentifier: collapseIdentifier), for: app)
    }

    /// Registers an app that listens and handles responses.
    ///
    /// `identifiers` has the same meaning as in `connect` with `handlesResponses`.
    ///
    /// - Throws: The errors of `connect` with `handlesResponses`.
    public func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool,
        identifiers: Set<String>? = nil,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        try await connect(
            application, asksBeforePresenting: asksBeforePresenting, handlesResponses: true,
            identifiers: identifiers, listener: listener)
    }
}
