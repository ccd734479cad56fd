internal import Logging
public import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Imports requests of the inbox, each with its entry ID, in one change.
    ///
    /// A request whose entry ID is known is skipped. The rate limit does not apply here. A request
    /// that fell due in the inbox is late, like every missed request.
    ///
    /// - Returns: The error of each request that was not stored; nil for the others.
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
        var prepared: [(entryID: String, addition: StoreAddition)] = []
        var places: [Int] = []
        for (place, entry) in entries.enumerated() {
            do throws(NotificationError) {
                for addition in try await addition(of: entry, for: app) {
                    prepared.append((entry.entryID, addition))
                    places.append(place)
                }
            } catch {
                errors[place] = error
            }
        }
        let results = try await stored(prepared, for: app)
        var replaced: [Int64] = []
        var added: [StoreAddition] = []
        for (index, result) in results.enumerated() {
            do {
                guard let rows = try result.get() else {
                    store.vault.remove(prepared[index].addition.files)
                    continue
                }
                replaced += rows
                added.append(prepared[index].addition)
                let name = entries[places[index]].item.request.identifier
                Log.engine.notice("took over \(name.quotedForMessage())")
            } catch {
                store.vault.remove(prepared[index].addition.files)
                errors[places[index]] = error
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
    ) async throws(NotificationError) -> [StoreAddition] {
        guard entry.date.isUsable else {
            throw NotificationError(
                .invalidArgument,
                "The request was written at a time before 1970 or after 9999. Schedule it again.")
        }
        var planned = try plan(entry.item, for: app, now: clock.now().rewound(to: entry.date))
        // Only the wall clock counts: the request may come from another boot.
        planned.due?.boot = nil
        return try await prepared([planned], for: app)
    }

    private func stored(
        _ prepared: [(entryID: String, addition: StoreAddition)], for app: ApplicationID
    ) async throws(NotificationError) -> [Result<[Int64]?, NotificationError>] {
        do throws(NotificationError) {
            return try await store.importEntries(prepared, for: app)
        } catch {
            store.vault.remove(prepared.flatMap(\.addition.files))
            throw error
        }
    }
}

extension ClockReading {
    /// The reading at an earlier instant, as if this boot had begun before it.
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
