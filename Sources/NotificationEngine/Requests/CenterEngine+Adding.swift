internal import Foundation
internal import Logging
public import NotificationModel
internal import NotificationStore
internal import Reactor

extension CenterEngine {
    struct Planned {
        var request: NotificationRequest
        var files: [OpenFile]
        /// The encoded request.
        ///
        /// If the request has attachments, `prepared` encodes it again with the paths of the
        /// copies.
        var payload: Data
        /// When the request is due; nil if its date is past.
        ///
        /// A request whose date is past is not stored, but the pending request with the same
        /// identifier is removed.
        var start: FireSchedule.Start?
    }

    /// Stores a request, and returns when it is on disk.
    ///
    /// A request whose date is past is not stored. As on Apple's platforms, that is no error.
    ///
    /// - Throws: The errors of `add(_:for:)`.
    public func add(
        _ request: NotificationRequest, attachments: [OpenFile], for app: ApplicationID
    ) async throws(NotificationError) {
        try await add([RequestWithFiles(request, files: attachments)], for: app)
    }

    /// Stores all of the requests or none, and returns when they are on disk.
    ///
    /// - Throws: `notAllowed` if the app may not notify. `limitReached` beyond a quota or the rate
    ///   limit. `noDate` if a rule has no date left, or if no date ever matches the calendar
    ///   components. `noServer` if a request requires a server and no server runs.
    ///   `invalidArgument` or `badgeInvalid` for another unusable value. An attachment error, such
    ///   as `attachmentTooLarge`, if a file cannot be used. `noSpace` if the disk is full, and
    ///   `storeUnavailable` if the store fails.
    public func add(
        _ requests: [RequestWithFiles], for app: ApplicationID
    ) async throws(NotificationError) {
        if let refusal = state.refusal(of: app) { throw refusal }
        try Limits.requestsOfCall.check(requests.count, of: "\(app)")
        try await admit(app)
        let now = clock.now()
        // Charge the rate limit after the checks: a call that a check rejects costs nothing. A call
        // that passes the checks is charged even if its attachments cannot be copied.
        var planned: [Planned] = []
        for item in requests {
            do throws(NotificationError) {
                planned.append(try plan(item, for: app, now: now))
            } catch {
                throw Self.failure(error, at: planned.count, of: requests.count)
            }
        }
        try checkRate(of: app, count: planned.count, now: now)
        warnOfPastDates(in: planned, of: app)
        try await submit(for: app) { () async throws(NotificationError) in
            try await prepared(planned, for: app)
        }
    }

    /// Waits for the app's earlier calls, and then prepares the requests and stores them.
    ///
    /// If the store already has `message`, this method changes nothing and returns false.
    @discardableResult
    func submit(
        for app: ApplicationID, message: ReceivedMessage? = nil,
        _ prepare: () async throws(NotificationError) -> [StoreAddition]
    ) async throws(NotificationError) -> Bool {
        await acquireTurn(app)
        let additions: [StoreAddition]
        do throws(NotificationError) {
            additions = try await prepare()
        } catch {
            releaseTurn(app)
            throw error
        }
        if let place = addWindow.acquire(app) { await place.value() }
        // The app's next call wakes, but cannot run until this call suspends. This call suspends
        // only after `store` has submitted the change, so changes keep the order of the calls.
        releaseTurn(app)
        defer { addWindow.release(app) }
        return try await store(additions, for: app, message)
    }

    func checkRate(
        of app: ApplicationID, count: Int = 1, now: ClockReading
    ) throws(NotificationError) {
        guard
            let seconds = addAllowance.spendAllowance(
                app, count: count, now: now.boot, limits: store.limits)
        else { return }
        throw NotificationError(
            .limitReached,
            "Nothing was added: \(app) adds requests too fast. One app may add "
                + "\(store.limits.addBurst) at once, then \(store.limits.addsPerSecond) a second. "
                + "Try again in \(Int64(seconds.rounded(.up))) s.")
    }

    /// Waits until the app's earlier calls have handed their changes to the store.
    func acquireTurn(_ app: ApplicationID) async {
        if let turn = callOrder.acquire(app) { await turn.value() }
    }

    func releaseTurn(_ app: ApplicationID) {
        callOrder.release(app)
    }

    /// Waits for the app's earlier calls, but does not delay the app's next call.
    func waitForTurn(_ app: ApplicationID?) async {
        guard let app else { return }
        await acquireTurn(app)
        releaseTurn(app)
    }

    private func store(
        _ additions: [StoreAddition], for app: ApplicationID, _ message: ReceivedMessage?
    ) async throws(NotificationError) -> Bool {
        let now = clock.now()
        var (additions, reserved) = (additions, 0)
        for index in additions.indices {
            guard case .request(var new) = additions[index], let request = new.immediate,
                state.reserve(request, of: app, now: now)
            else { continue }
            new.isPresenting = true
            additions[index] = .request(new)
            reserved += 1
        }
        var isStored = false
        defer {
            if !isStored {
                perform(state.rowsInserted([], reserved: reserved, now: clock.now()))
                store.vault.remove(additions.flatMap(\.files))
            }
        }
        let stored = try await store.add(additions, for: app, message: message)
        guard let (replaced, claimed) = stored else { return false }
        isStored = true
        listsChanged(.pending, of: app)
        perform(
            state.rowsWithdrawn(replaced)
                + state.rowsInserted(claimed, reserved: reserved, now: clock.now())
                + state.regionsAdded(additions, of: app, now: clock.now()))
        if additions.contains(where: \.isRemoval) { notifyIdleWaiters() }
        return true
    }

    func plan(
        _ item: RequestWithFiles, for app: ApplicationID, now: ClockReading
    ) throws(NotificationError) -> Planned {
        var request = item.request
        // Check before the rule is parsed, because only the check bounds the rule's length.
        try RequestCheck.check(request)
        try checkServer(for: request)
        request.trigger = try state.schedule.accepted(request.trigger, now: now)
        var payload = try RequestCheck.encoded(request)
        var start: FireSchedule.Start?
        switch try state.schedule.first(of: request.trigger, now: now) {
        case .due(let time):
            start = FireSchedule.Start(due: time)
            if let date = item.nextFire,
                let later = try state.schedule.start(of: request, at: date, after: time, now: now)
            {
                start = later
                payload = try RequestCheck.encoded(request, from: later)
            }
        case .past: break
        case .region: start = FireSchedule.Start(due: try dueTimeOfRegion(request, for: app))
        }
        return Planned(request: request, files: item.files, payload: payload, start: start)
    }

    /// Logs the requests whose date is past, in one line for each call.
    ///
    /// Call this after `checkRate`, so that an app that adds too fast cannot fill the log.
    func warnOfPastDates(in planned: [Planned], of app: ApplicationID) {
        let past = planned.filter { $0.start == nil }
        guard let first = past.first else { return }
        let name = first.request.identifier.quotedForMessage()
        let others = past.count > 1 ? " and \(past.count - 1) more" : ""
        Log.engine.warning("\(app) added \(name)\(others), whose date is past: it never fires")
    }

    private func checkServer(for request: NotificationRequest) throws(NotificationError) {
        guard request.content.desktop?.requiresServer == true, !state.isServerRunning else {
            return
        }
        throw NotificationError(
            .noServer,
            "The request \(request.identifier.quotedForMessage()) requires a notification server, "
                + "and none runs on the session bus; the request is not kept. Start a server, or add "
                + "the request without this requirement.")
    }

    /// Copies the attached files into the store's folder; if one copy fails, removes all copies.
    func prepared(
        _ planned: [Planned], for app: ApplicationID
    ) async throws(NotificationError) -> [StoreAddition] {
        var additions: [StoreAddition] = []
        do throws(NotificationError) {
            for item in planned { additions.append(try await prepared(item, for: app)) }
            return additions
        } catch {
            store.vault.remove(additions.flatMap(\.files))
            throw Self.failure(error, at: additions.count, of: planned.count)
        }
    }

    func prepared(
        _ item: Planned, for app: ApplicationID
    ) async throws(NotificationError) -> StoreAddition {
        var (request, payload) = (item.request, item.payload)
        guard let start = item.start else { return .removal(request.identifier) }
        if !request.content.attachments.isEmpty || !item.files.isEmpty {
            payload = try await storeFiles(item.files, of: &request, from: start, for: app)
        }
        return Self.addition(request, payload, due: start.due, for: app)
    }

    static func addition(
        _ request: NotificationRequest, _ payload: Data, due: DueTime, for app: ApplicationID
    ) -> StoreAddition {
        var new = NewRequest(
            app: app, identifier: request.identifier, payload: payload, due: due,
            files: request.content.attachments.map(\.path))
        if request.trigger == nil { new.immediate = request }
        if case .region(let region, let repeats) = request.trigger {
            new.region = StoredRegion(
                key: NotificationKey(app: app, identifier: request.identifier), region: region,
                repeats: repeats)
        }
        return .request(new)
    }

    private static func failure(
        _ error: NotificationError, at index: Int, of count: Int
    ) -> NotificationError {
        guard count > 1 else { return error }
        return NotificationError(
            error.code, "Request \(index + 1) of \(count) failed, none was added: \(error.message)")
    }
}
