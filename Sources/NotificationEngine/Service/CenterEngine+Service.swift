internal import Logging
public import NotificationModel
internal import NotificationStore
internal import Reactor

extension CenterEngine: NotificationService {
    /// Opens a session of an app; `listener` gets the session's events.
    ///
    /// - Throws: `invalidArgument` if the identity or an identifier cannot be used. `limitReached`
    ///   if the store has too many apps. `noSpace` or `storeUnavailable` if the store fails.
    public func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool, handlesResponses: Bool,
        identifiers: Set<String>?,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        let own = configuration.storeOfApp?(application.id)
        if let own, own != store.layout { await adopt([own]) }
        var application = application.cleaned
        try RequestCheck.check(application, identifiers: identifiers)
        try await takeOverFormer(of: application)
        // For a known app, this method does not suspend from here to `state.connect`. So no other
        // call can forget the app in between.
        await waitForForgetting()
        try await admit(application.id)
        let known = state[application.id].identity
        application = application.completed(by: known)
        let session = state.connect(
            application, asksBeforePresenting: asksBeforePresenting,
            handlesResponses: handlesResponses, identifiers: identifiers)
        listeners[session] = listener
        do {
            if known != application, application.isDescribed {
                try await store.save(application, as: AppColumns.identity, of: application.id)
                // During the save, `loadTables` may have read the former identity.
                state.change(application.id) {
                    if $0.identity == known { $0.identity = application }
                }
            }
            try await keepPermission(of: application.id)
            try await rememberCommand(of: application)
            await refreshDesktopSwitch(of: application.id)
            let stored = try await store.responses(of: application.id)
            perform(
                state.responses.replay(stored, to: session)
                    + state.appArrived(in: session, now: clock.now()))
        } catch {
            // If another process of the app has connected meanwhile, keep the identity it stated.
            state.change(application.id) {
                if $0.identity == application { $0.identity = known }
            }
            await disconnect(session)
            throw error
        }
        return session
    }

    /// Changes whether the app is asked before each popup, and whether it handles responses.
    public func setAsksBeforePresenting(
        _ asks: Bool, handlesResponses: Bool, in session: ServiceSession
    ) async {
        state.responses.change(session) { $0.asksBeforePresenting = asks }
        perform(state.responses.setHandlesResponses(handlesResponses, in: session))
    }

    /// Ends a session.
    public func disconnect(_ session: ServiceSession) async {
        listeners[session] = nil
        perform(state.disconnect(session, now: clock.now()))
    }

    /// Removes pending requests.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func removePending(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        await acquireTurn(app)
        if let place = addWindow.acquire(app) { await place.value() }
        // As in `submit`, the app's next call cannot run before this call suspends.
        releaseTurn(app)
        defer { addWindow.release(app) }
        let removed = try await store.removePending(
            selection, of: app, awaited: state.responses.awaitedKeys(of: app))
        listsChanged(.pending, of: app)
        for key in removed.unawaited { perform(state.popupGone(key)) }
        perform(
            state.rowsWithdrawn(removed.presenting)
                + state.regionsRemoved(selection, of: app, now: clock.now()))
        notifyIdleWaiters(of: [app])
    }

    /// A page of the pending requests.
    ///
    /// - Throws: `invalidArgument` if the query cannot be used. `limitReached` if it has too many
    ///   identifiers. `noSpace` or `storeUnavailable` if the store fails.
    public func pendingPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<PendingNotification> {
        await waitForTurn(app)
        let page = try await store.pendingPage(query, of: app, now: clock.now())
        removeDamaged()
        return page
    }

    /// The page of `pendingPage(_:of:)`, as JSON lines.
    ///
    /// - Throws: The errors of `pendingPage(_:of:)`.
    public func pendingLines(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> PendingLines {
        await waitForTurn(app)
        let page = try await store.pendingLines(query, of: app, now: clock.now())
        removeDamaged()
        return page
    }

    /// Removes delivered notifications and their popups.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        let posted = state.posted(selection, of: app)
        let removed = try await store.removeDelivered(
            selection, of: app, awaited: state.responses.awaitedKeys(of: app))
        perform(
            state.removePosted(posted, removed: removed.keys)
                + state.rowsWithdrawn(removed.presenting))
        notificationsRetired(removed)
        notifyIdleWaiters(of: [app])
    }

    /// Removes a delivered notification that the app removed while it was being posted.
    ///
    /// If another notification has the same key by now, that notification stays.
    func removePosted(_ meant: DeliveredNotification) async {
        await retrying(.removePosted(meant)) {
            notificationsRetired(try await store.removeDelivered(meant))
        }
    }

    /// A page of the delivered notifications, newest first.
    ///
    /// - Throws: `invalidArgument` if the query cannot be used. `limitReached` if it has too many
    ///   identifiers. `noSpace` or `storeUnavailable` if the store fails.
    public func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<DeliveredNotification> {
        let page = try await store.deliveredPage(query, of: app)
        removeDamaged()
        return page
    }

    /// A page of the records of notifications that were not shown, newest first.
    ///
    /// - Throws: `invalidArgument` if the query cannot be used. `limitReached` if it has too many
    ///   identifiers. `noSpace` or `storeUnavailable` if the store fails.
    public func recordPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<NotificationRecord> {
        try await store.recordPage(query, of: app)
    }

    /// Keeps a record of a request or notification that could not be sent to a client.
    public func record(unsendable key: NotificationKey, _ error: NotificationError) async {
        let name = "\(key.identifier.quotedForMessage()) of \(key.app)"
        Log.engine.error("\(name) is left out: \(error.message)")
        let record = NotificationRecord(
            app: key.app, identifier: key.identifier, date: clock.now().wall, reason: .damaged,
            message: "left out of a list or signal: \(error.message)")
        do throws(NotificationError) {
            try await store.keepRecord(record)
        } catch {
            Log.engine.error("the record of \(name) could not be stored: \(error.message)")
        }
    }

    /// Replaces the whole set of an app's categories.
    ///
    /// - Throws: `invalidArgument` if a category cannot be used. `limitReached` beyond a quota.
    ///   `noSpace` or `storeUnavailable` if the store fails.
    public func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) async throws(NotificationError) {
        try RequestCheck.check(categories, of: app)
        try await admit(app)
        let table = Dictionary(
            categories.map { ($0.identifier, $0) }, uniquingKeysWith: { _, last in last })
        // Only one call of the app runs at a time, so an app that calls often delays only itself.
        await acquireTurn(app)
        defer { releaseTurn(app) }
        try await store.setCategories(Array(table.values), of: app)
        state.change(app) { $0.categories = table }
    }

    /// The app's categories.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func categories(
        of app: ApplicationID
    ) async throws(NotificationError) -> [NotificationCategory] {
        try await store.categories(of: app).map(\.category)
    }

    /// Forgets a response that its app has handled.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func acknowledge(
        _ response: Int64, of app: ApplicationID
    ) async throws(NotificationError) {
        // Tell the state first: if the response is not in the store yet, `storeResponse` then does
        // not keep it.
        state.responses.acknowledge(response, of: app)
        try await store.acknowledge(response, of: app)
        notifyIdleWaiters(of: [app])
    }

    /// Takes an app's decision about the presentation of a notification.
    public func answer(_ token: PresentationToken, with options: PresentationOptions) async {
        perform(state.appDecided(token, with: options))
    }

    /// The state of the notification centre.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func status() async throws(NotificationError) -> ServiceStatus {
        let (pending, delivered, responses) = try await store.counts()
        let now = clock.now()
        let boot = state.head.boot.map { DueTime(wall: now.wall, boot: $0).expected(now) }
        var status = ServiceStatus(
            version: configuration.version, hosting: configuration.hosting,
            store: store.layout.database,
            pendingCount: pending, deliveredCount: delivered, responseCount: responses,
            nextFire: [state.head.wall, boot].compactMap { $0 }.min(),
            presenter: await presenterStatus())
        status.isStoreFull = try await store.isFull()
        status.lock = state.lock.status
        status.location = await configuration.location?.status() ?? .missing
        status.push = await configuration.pushes?.status() ?? PushStatus()
        return status
    }
}
