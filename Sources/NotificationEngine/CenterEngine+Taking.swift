internal import Logging
public import NotificationModel

// What was left for the centre while none could be reached.
extension CenterEngine {
    /// Stores a request that was left, with its mark in one change; nothing where the mark is known.
    ///
    /// What was due meanwhile is late, by the rules of everything that is missed. How fast an app
    /// adds is not limited here.
    public func take(_ left: LeftRequest, for app: ApplicationID) async throws(NotificationError) {
        if let refusal = state.refusal(of: app) { throw refusal }
        guard left.date.isUsable else {
            throw NotificationError(
                .invalidArgument,
                "The request was left at a time that is not from 1970 to 9999. Schedule it again.")
        }
        try await admit(app)
        let now = clock.now()
        var planned = try plan(left.item, for: app, now: now.back(to: left.date))
        // By the wall clock: the boot may have been another one.
        planned.due?.boot = nil
        await takeTurn(app)
        defer { passTurn(app) }
        let additions = try await prepared([planned], for: app)
        do throws(NotificationError) {
            let (isNew, replaced) = try await store.take(additions, marked: left.mark, for: app)
            guard isNew else { return store.vault.remove(additions.flatMap(\.files)) }
            state.attendance.takeOver(at: clock.now())
            Log.engine.notice("took over \(left.item.request.identifier.quotedForMessage())")
            changed(.pending, of: app)
            await withdraw(replaced)
        } catch {
            store.vault.remove(additions.flatMap(\.files))
            throw error
        }
    }

    /// Forgets the marks of what was left but these: the others cannot come again.
    public func forgetMarks(but marks: [String]) async throws(NotificationError) {
        try await store.forgetMarks(but: marks)
    }
}

extension ClockReading {
    /// What the clocks showed at an earlier instant, if this boot had lasted that long.
    fileprivate func back(to date: Instant) -> ClockReading {
        adding(microseconds: -max(0, wall.microseconds(since: date)))
    }
}
