internal import Logging
public import NotificationModel
internal import NotificationStore

// What was left for the centre while none could be reached.
extension CenterEngine {
    /// Stores requests that were left, each with its mark, in one change; nothing of one whose mark
    /// is known.
    ///
    /// Returns why each could not be taken, nil for those that are stored. What was due meanwhile is
    /// late, by the rules of everything that is missed. How fast an app adds is not limited here.
    public func take(
        _ left: [LeftRequest], for app: ApplicationID
    ) async throws(NotificationError) -> [NotificationError?] {
        if let refusal = state.refusal(of: app) { throw refusal }
        try await admit(app)
        await acquireTurn(app)
        defer { releaseTurn(app) }
        var errors = [NotificationError?](repeating: nil, count: left.count)
        var prepared: [(mark: String, addition: StoreAddition)] = []
        var places: [Int] = []
        for (place, one) in left.enumerated() {
            do throws(NotificationError) {
                for addition in try await addition(of: one, for: app) {
                    prepared.append((one.mark, addition))
                    places.append(place)
                }
            } catch {
                errors[place] = error
            }
        }
        let results = try await stored(prepared, for: app)
        var replaced: [Int64] = []
        for (index, result) in results.enumerated() {
            do {
                guard let rows = try result.get() else {
                    store.vault.remove(prepared[index].addition.files)
                    continue
                }
                replaced += rows
                let name = left[places[index]].item.request.identifier
                Log.engine.notice("took over \(name.quotedForMessage())")
            } catch {
                store.vault.remove(prepared[index].addition.files)
                errors[places[index]] = error
            }
        }
        state.attendance.takeOver(at: clock.now())
        changed(.pending, of: app)
        perform(state.withdrawn(replaced))
        return errors
    }

    /// Forgets the marks of what was left but these: the others cannot come again.
    public func forgetMarks(but marks: [String]) async throws(NotificationError) {
        try await store.forgetMarks(but: marks)
    }

    private func addition(
        of left: LeftRequest, for app: ApplicationID
    ) async throws(NotificationError) -> [StoreAddition] {
        guard left.date.isUsable else {
            throw NotificationError(
                .invalidArgument,
                "The request was left at a time that is not from 1970 to 9999. Schedule it again.")
        }
        var planned = try plan(left.item, for: app, now: clock.now().back(to: left.date))
        // By the wall clock: the boot may have been another one.
        planned.due?.boot = nil
        return try await prepared([planned], for: app)
    }

    private func stored(
        _ prepared: [(mark: String, addition: StoreAddition)], for app: ApplicationID
    ) async throws(NotificationError) -> [Result<[Int64]?, NotificationError>] {
        do throws(NotificationError) {
            return try await store.take(prepared, for: app)
        } catch {
            store.vault.remove(prepared.flatMap(\.addition.files))
            throw error
        }
    }
}

extension ClockReading {
    /// What the clocks showed at an earlier instant, if this boot had lasted that long.
    fileprivate func back(to date: Instant) -> ClockReading {
        adding(microseconds: -max(0, wall.microseconds(since: date)))
    }
}

/// A request that was left for the notification centre while none could be reached.
public struct LeftRequest: Sendable {
    /// Names it once and for all: what was taken under a mark is not taken again.
    public var mark: String
    /// When it was left; its dates count from there.
    public var date: Instant
    /// The request and the files of its attachments.
    public var item: RequestWithFiles

    /// Makes one.
    public init(mark: String, date: Instant, item: RequestWithFiles) {
        self.mark = mark
        self.date = date
        self.item = item
    }
}
