package import DesktopBus
package import NotificationModel

/// A notification service whose functions only call the members of the interface.
///
/// Each function passes its arguments to `call(_:_:)` and returns the output. `RemoteService` calls
/// the members over the bus; the tests' scripted service records the calls. `NotificationService`
/// documents the functions.
package protocol MemberCalling: NotificationService {
    /// Calls a member and returns its output.
    ///
    /// - Throws: The error that the service reports, or the reason why it cannot be reached.
    func call<Input, Output>(
        _ member: Member<Input, Output>, _ input: Input
    ) async throws(NotificationError) -> Output

    /// Changes the options of a session, if the session is known.
    func updateSessionOptions(
        _ session: ServiceSession, _ change: (inout ApplicationIntroduction.SessionOptions) -> Void
    ) async
}

extension MemberCalling {
    /// Stores a request, which replaces a pending request with the same identifier.
    ///
    /// - Throws: `attachmentNotStored` if a file cannot be passed on, or an error of `call(_:_:)`.
    public func add(
        _ request: NotificationRequest, attachments: [OpenFile], for app: ApplicationID
    ) async throws(NotificationError) {
        let files = try Self.descriptors(of: attachments)
        try await call(Members.add, (app, request, files))
    }

    /// Stores many requests, either all of them or none.
    ///
    /// - Throws: `attachmentNotStored` if a file cannot be passed on, or an error of `call(_:_:)`.
    public func add(
        _ requests: [RequestWithFiles], for app: ApplicationID
    ) async throws(NotificationError) {
        let files = try Self.descriptors(of: requests.flatMap(\.files))
        let added = requests.map { AddedRequest(request: $0.request, nextFire: $0.nextFire) }
        try await call(Members.addMany, (app, added, files))
    }

    /// Removes pending requests.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func removePending(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        switch selection {
        case .identifiers(let identifiers):
            for part in NotificationSelection.parts(of: identifiers) {
                try await call(Members.remove, (app, part))
            }
        case .all: try await call(Members.removeAll, app)
        }
    }

    /// A page of the pending requests, of one app or of all.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func pendingPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<PendingNotification> {
        try await call(Members.pending, (app, query))
    }

    /// A page of pending requests as JSON lines, of one app or of all.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func pendingLines(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> PendingLines {
        let (lines, next) = try await call(Members.pendingLines, (app, query))
        return PendingLines(
            lines: lines, next: next.isEmpty ? nil : PageCursor(rawValue: next))
    }

    /// Maps the pending requests by `element`, in the order in which they will fire.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func pending<Element: Sendable>(
        of app: ApplicationID?, identifiers: [String]?,
        as element: @escaping @Sendable (PendingNotification) -> Element
    ) async throws(NotificationError) -> [Element] {
        var query = ListQuery(identifiers: identifiers, limit: ListQuery.maximumLimit)
        var list = FiringList<Element>()
        var page = try await pendingLines(query, of: app)
        while true {
            // The service reads the next page while this process decodes the present page.
            let (lines, linesQuery) = (page, query)
            query.after = page.next
            async let decoded = Self.decoded(lines, as: element)
            var following = query.after == nil ? nil : try await pendingLines(query, of: app)
            do throws(NotificationError) {
                list.append(try await decoded.get())
            } catch {
                // A line could not be decoded. So read this page again with the member `Pending`,
                // which leaves damaged requests out.
                let again = try await pendingPage(linesQuery, of: app)
                for pending in again.notifications {
                    list.append(element(pending), at: pending.firingOrder)
                }
                // This page may end at another request than the damaged page, because requests may
                // have been added or removed since.
                query.after = again.next
                following = query.after == nil ? nil : try await pendingLines(query, of: app)
            }
            guard let following else { return list.sorted }
            page = following
        }
    }

    @concurrent
    private static func decoded<Element: Sendable>(
        _ page: PendingLines, as element: (PendingNotification) -> Element
    ) async -> Result<FiringList<Element>, NotificationError> {
        do throws(NotificationError) {
            var list = FiringList<Element>()
            try page.forEach { list.append(element($0), at: $0.firingOrder) }
            return .success(list)
        } catch {
            return .failure(error)
        }
    }

    /// Skips the next date of a repeating request; the request then fires at the following date.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func skip(
        _ identifier: String, of app: ApplicationID
    ) async throws(NotificationError) -> SkippedOccurrence {
        try await call(Members.skip, (app, identifier))
    }

    /// Shows a delivered notification again after `seconds`, or delays a pending request.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) async throws(NotificationError) -> Instant {
        try await call(Members.snooze, (app, identifier, seconds))
    }

    /// Removes delivered notifications and closes their popups.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        switch selection {
        case .identifiers(let identifiers):
            for part in NotificationSelection.parts(of: identifiers) {
                try await call(Members.removeDelivered, (app, part))
            }
        case .all: try await call(Members.removeAllDelivered, app)
        }
    }

    /// A page of the delivered notifications, of one app or of all, newest first.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<DeliveredNotification> {
        try await call(Members.delivered, (app, query))
    }

    /// A page of the records of missed notifications, of one app or of all, newest first.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func recordPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<NotificationRecord> {
        try await call(Members.records, (app, query))
    }

    /// Replaces the whole set of an app's categories.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) async throws(NotificationError) {
        try await call(Members.setCategories, (app, categories))
    }

    /// An app's categories.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func categories(
        of app: ApplicationID
    ) async throws(NotificationError) -> [NotificationCategory] {
        try await call(Members.categoriesOfApp, app)
    }

    /// Returns when the app has no pending request.
    ///
    /// With `includingPopups`, the call also waits until no popup of the app can get a response. It
    /// waits, too, until the app has acknowledged every response.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func waitUntilIdle(
        _ app: ApplicationID, includingPopups: Bool
    ) async throws(NotificationError) {
        try await call(Members.waitUntilIdle, (app, includingPopups))
    }

    /// The state of the service.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func status() async throws(NotificationError) -> ServiceStatus {
        try await call(Members.status, ())
    }

    // MARK: Session options

    /// Changes whether the app is asked before each popup, and whether it handles responses.
    public func setAsksBeforePresenting(
        _ asks: Bool, handlesResponses: Bool, in session: ServiceSession
    ) async {
        await updateSessionOptions(session) {
            $0.asksBeforePresenting = asks
            $0.handlesResponses = handlesResponses
        }
    }

    /// Changes whether the app's own service extension gets its pushed notifications.
    public func setExtendsPushes(_ extends: Bool, in session: ServiceSession) async {
        await updateSessionOptions(session) { $0.extendsPushes = extends }
    }

    // MARK: Permissions and settings

    /// Asks the user whether the app may notify, unless the user has decided.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func requestAuthorization(
        _ options: Permission.Options, for app: ApplicationID
    ) async throws(NotificationError) -> Bool {
        try await call(Members.requestAuthorization, (app, options))
    }

    /// Asks the user whether the app may know the location, unless the user has decided.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func requestLocation(
        always: Bool, for app: ApplicationID
    ) async throws(NotificationError) -> LocationPermission {
        try await call(Members.requestLocation, (app, always))
    }

    /// How an app may notify, and what the server can do.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func settings(
        of app: ApplicationID
    ) async throws(NotificationError) -> ApplicationSettings {
        try await call(Members.settings, app)
    }

    /// The apps that the centre knows, with their permissions, sorted by id.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func permissions() async throws(NotificationError) -> [ApplicationPermission] {
        try await call(Members.permissions, ())
    }

    /// Records the user's decision about an app.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func decide(
        _ decision: PermissionDecision, for app: ApplicationID
    ) async throws(NotificationError) {
        try await call(Members.decide, (app, decision))
    }

    /// Sets when the texts of an app's notifications are shown, on behalf of the user.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func setPreviews(
        _ previews: ShowPreviews, of app: ApplicationID
    ) async throws(NotificationError) {
        try await call(Members.setPreviews, (app, previews))
    }

    /// Opens the desktop's settings of notifications, on the page of the app if there is one.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func openNotificationSettings(of app: ApplicationID) async throws(NotificationError) {
        try await call(Members.openNotificationSettings, app)
    }

    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func setBadge(_ count: Int, of app: ApplicationID) async throws(NotificationError) {
        try await call(Members.setBadge, (app, count))
    }

    /// The number on the app's icon; 0 for none.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func badge(of app: ApplicationID) async throws(NotificationError) -> Int {
        try await call(Members.badge, app)
    }

    // MARK: Remote notifications

    /// Accepts a remote notification with a payload as for APNs, and shows it at once.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func push(
        _ payload: [UInt8], headers: PushHeaders, for app: ApplicationID?
    ) async throws(NotificationError) -> String? {
        try await call(Members.push, (app, payload, headers))
    }

    /// Registers an app for remote notifications, and returns its subscription as JSON.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func registerForPushes(
        _ app: ApplicationID, serverKey: String?
    ) async throws(NotificationError) -> [UInt8] {
        try await call(Members.registerForPushes, (app, serverKey))
    }

    /// Ends an app's registration for remote notifications.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func unregisterFromPushes(_ app: ApplicationID) async throws(NotificationError) {
        try await call(Members.unregisterFromPushes, app)
    }

    /// Chooses the push distributor for all apps, on behalf of the user; nil leaves the choice to
    /// the centre.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func choosePushDistributor(_ name: String?) async throws(NotificationError) {
        try await call(Members.choosePushDistributor, name)
    }

    /// Copies of the descriptors, for a message.
    ///
    /// - Throws: `attachmentNotStored` if a descriptor cannot be copied.
    package static func descriptors(
        of files: [OpenFile]
    ) throws(NotificationError) -> [BusDescriptor] {
        do throws(BusError) {
            return try files.map { file throws(BusError) in
                try BusDescriptor(duplicating: file.descriptor)
            }
        } catch {
            throw NotificationError(.attachmentNotStored, error.message)
        }
    }
}

/// Elements made from pending requests, with the order in which these requests will fire.
private struct FiringList<Element: Sendable>: Sendable {
    private var orders: [FiringOrder] = []
    private var elements: [Element] = []

    mutating func append(_ element: Element, at order: FiringOrder) {
        orders.append(order)
        elements.append(element)
    }

    mutating func append(_ other: FiringList) {
        orders += other.orders
        elements += other.elements
    }

    /// The elements in firing order; sorting the indices moves each element only once.
    var sorted: [Element] {
        orders.indices.sorted { orders[$0] < orders[$1] }.map { elements[$0] }
    }
}
