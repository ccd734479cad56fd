internal import Logging
public import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Imports requests of the inbox, each with its entry ID, in one change.
    ///
    /// A request whose entry ID is known is skipped. The rate limit does not apply here. A request
    /// that fell due in the inbox is late, like every missed request.
    ///
    /// - Returns: For each entry, the error that prevented its import; nil if there was no error.
    /// - Throws: `notAllowed` if the app may not notify. `limitReached` if the store has too many
    ///   apps. `noSpace` or `storeUnavailable` if the store fails.
    public func importEntries(
        _ entries: [InboxEntry], for app: ApplicationID
    ) async throws(NotificationError) -> [NotificationError?] {
        if let refusal = state.refusal(of: app) { throw refusal }
        try await admit(app)
        await acquireTurn(app)
        defer { releaseTurn(app) }
        var errors = [NotificationError?](repeating: nil, count: entries.count)
        var prepared: [(place: Int, addition: StoreAddition)] = []
        for (place, entry) in entries.enumerated() {
            do throws(NotificationError) {
                prepared.append((place, try await addition(of: entry, for: app)))
            } catch {
                errors[place] = error
            }
        }
        var replaced: [Int64] = []
        var added: [StoreAddition] = []
        var unused = prepared.map(\.addition)
        defer { store.vault.remove(unused.flatMap(\.files)) }
        let results = try await store.importEntries(
            prepared.map { (entryID: entries[$0.place].entryID, addition: $0.addition) }, for: app)
        unused = []
        for ((place, addition), result) in zip(prepared, results) {
            switch result {
            case .success(let rows?):
                replaced += rows
                added.append(addition)
                let name = entries[place].item.request.identifier
                Log.engine.notice("took over \(name.quotedForMessage())")
            case .success(nil): unused.append(addition)
            case .failure(let error):
                unused.append(addition)
                errors[place] = error
            }
        }
        state.outages.takeOver(at: clock.now())
        listsChanged(.pending, of: app)
        perform(
            state.rowsWithdrawn(replaced)
                + state.regionsAdded(added, of: app, now: clock.now()))
        if added.contains(where: \.isRemoval) { notifyIdleWaiters() }
        return errors
    }

    /// Forgets all entry IDs except these, because the inbox has no other entries.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func forgetEntryIDs(but entryIDs: [String]) async throws(NotificationError) {
        try await store.forgetEntryIDs(but: entryIDs)
    }

    private func addition(
        of entry: InboxEntry, for app: ApplicationID
    ) async throws(NotificationError) -> StoreAddition {
        guard entry.date.isUsable else {
            throw NotificationError(
                .invalidArgument,
                "The request was written at a time before 1970 or after 9999. Schedule it again.")
        }
        var planned = try plan(entry.item, for: app, now: clock.now().rewound(to: entry.date))
        warnOfPastDates(in: [planned], of: app)
        // Only the wall clock counts: the request may come from another boot.
        planned.start?.due.boot = nil
        return try await prepared(planned, for: app)
    }
}

extension ClockReading {
    /// The reading at an earlier instant, as if this boot had begun before that instant.
    fileprivate func rewound(to date: Instant) -> ClockReading {
        adding(microseconds: -max(0, wall.microseconds(since: date)))
    }
}

/// A request of the inbox, written while no notification centre was reachable.
public struct InboxEntry: Sendable {
    /// The unique name of the entry; a request is imported only once under this name.
    public var entryID: String
    /// The time at which the entry was written; intervals and dates count from this time.
    public var date: Instant
    /// The request and the files of its attachments.
    public var item: RequestWithFiles

    /// Makes an entry.
    public init(entryID: String, date: Instant, item: RequestWithFiles) {
        self.entryID = entryID
        self.date = date
        self.item = item
    }
}
