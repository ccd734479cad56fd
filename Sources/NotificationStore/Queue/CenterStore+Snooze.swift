internal import Foundation
internal import GRDB
package import NotificationModel

// Delays delivered notifications and pending requests.
extension CenterStore {
    package struct Snoozed: Sendable {
        /// The wall time at which the request fires.
        package var until: Instant
        /// Whether the snooze removed a delivered notification.
        package var wasDelivered: Bool
    }

    /// Makes a delivered notification pending again with all its content, or delays a request.
    ///
    /// If a repeating request with the key of the delivered notification is pending, that request
    /// fires next after the delay. It skips its regular dates until then.
    ///
    /// `delay` is in microseconds. `early` holds the request's rows that were claimed before their
    /// due time. This call first makes these rows pending again. If `onlyDelivered` is true, this
    /// call refuses a key that is only pending.
    ///
    /// - Throws: `invalidArgument` if the notification does not exist, is being presented, has no
    ///   date, would replace a pending request, or would fire after the year 9999;
    ///   `limitReached` if the app or the store would exceed a limit; `noSpace` if the disk is
    ///   full; `storeUnavailable` if the store cannot be written.
    package func snooze(
        _ key: NotificationKey, by delay: Int64, now: ClockReading, early: [Int64] = [],
        onlyDelivered: Bool = false, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Snoozed {
        try await change("changed") { database in
            try Self.requeue(early, in: database)
            let waiting = try self.waiting(key, in: database)
            if waiting?.isOnItsWay == true {
                throw Self.refusal(
                    of: key, "is being shown now", "Snooze it when it is on the screen")
            }
            guard let shown = try self.notification(key, in: database) else {
                guard !onlyDelivered else {
                    throw Self.refusal(
                        of: key, "is not delivered any more", "Look at the pending requests")
                }
                let request = try self.checked(waiting?.request, key)
                let until = try self.putOff(request, by: delay, now: now, in: database)
                return Snoozed(until: until, wasDelivered: false)
            }
            let due = DueTime(after: delay, now)
            try Self.check(due, of: key, now: now)
            if let waiting {
                try self.addFireDate(waiting.request, at: due, now: now, in: database)
            } else {
                try self.insert(shown.notification, delay: delay, due: due, now: now, in: database)
            }
            var retired = RetiredNotifications()
            try self.retire(notification: key, into: &retired, in: database)
            try self.noteClosing(retired.popups, in: database)
            return Snoozed(until: due.wall, wasDelivered: true)
        }
    }

    private func checked(
        _ request: ClaimedRequest?, _ key: NotificationKey
    ) throws(NotificationError) -> ClaimedRequest {
        guard let request else {
            throw Self.refusal(
                of: key, "is neither delivered nor pending", "Look at both lists")
        }
        guard request.due != .never else {
            throw Self.refusal(of: key, "has no date to delay", "Give it a date")
        }
        return request
    }

    /// Delays only the next date.
    ///
    /// If the next date has passed, for example while no server ran, the delay begins now.
    private func putOff(
        _ request: ClaimedRequest, by delay: Int64, now: ClockReading, in database: Database
    ) throws -> Instant {
        var request = request
        let due = request.due
        let regular = request.regular ?? due
        request.regular = regular
        var later =
            due.remaining(now) > 0
            ? DueTime(wall: due.expected(now), boot: due.boot) : DueTime(after: 0, now)
        later.fired = due.fired
        later = later.adding(microseconds: delay)
        try Self.check(later, of: request.key, now: now)
        // A snoozed date before the regular date is an additional date, for which `addFireDate`
        // added 1 to the count. This delay moves it past the regular date, which is then skipped:
        // subtract 1 again. Keep a count of 1: `addFireDate` did not raise it, but the clock was
        // set back after the snooze.
        if due.expected(now) < regular.expected(now), later.expected(now) >= regular.expected(now),
            request.request.trigger?.repeats == true
        {
            request.request.trigger = request.request.trigger?.afterFiring
        }
        request.due = later
        try request.encode()
        try update(request, in: database)
        return later.expected(now)
    }

    /// Makes a pending request fire next at `due`; its regular dates before `due` are skipped.
    private func addFireDate(
        _ request: ClaimedRequest, at due: DueTime, now: ClockReading, in database: Database
    ) throws {
        guard request.due != .never else {
            throw Self.refusal(
                of: request.key, "waits for a region again and has no date to delay",
                "Add a copy with a date under another identifier")
        }
        // `repeats` is false for a rule with one date left. Accept such a rule: it also fired the
        // delivered notification, so the snooze replaces no other request.
        let isRule = if case .rule = request.request.trigger { true } else { false }
        guard isRule || request.request.trigger?.repeats == true else {
            throw Self.refusal(
                of: request.key,
                "would replace the pending request with the same identifier",
                "Remove the delivered notification, and snooze the pending request")
        }
        var request = request
        let regular = request.regular ?? request.due
        request.regular = regular
        // If `due` is before the regular date, this firing is an additional one. Raise the count by
        // 1, so that the rule loses no date.
        if case .rule(var rule) = request.request.trigger, let count = rule.count,
            due.wall < regular.expected(now)
        {
            rule.count = min(count, Limits.ruleCount.most - 1) + 1
            request.request.trigger = .rule(rule)
        }
        let fired = request.due.fired
        request.due = due
        request.due.fired = fired
        try request.encode()
        try update(request, in: database)
    }

    private func insert(
        _ notification: DeliveredNotification, delay: Int64, due: DueTime, now: ClockReading,
        in database: Database
    ) throws {
        var request = notification.request
        // The request is now the newest pending one, and the tool's ID 'last' compares these dates.
        if request.content.userInfo[NotificationContent.creationKey] != nil {
            request.content.userInfo[NotificationContent.creationKey] = .date(now.wall)
        }
        request.trigger = .interval(seconds: Double(delay) / 1_000_000, repeats: false)
        try insert(
            NewRequest(
                app: notification.app, identifier: request.identifier,
                payload: try PayloadCoding.encode(request), due: due,
                files: request.content.attachments.map(\.path)),
            isNew: true, bringsFiles: false, in: database)
    }

    /// Checks the date: many snoozes of one request must not go beyond the year 9999.
    private static func check(
        _ due: DueTime, of key: NotificationKey, now: ClockReading
    ) throws(NotificationError) {
        guard due.expected(now) <= .latest else {
            throw refusal(of: key, "would fire after the year 9999", "Snooze it for less")
        }
    }

    private static func refusal(
        of key: NotificationKey, _ reason: String, _ remedy: String
    ) -> NotificationError {
        NotificationError(
            .invalidArgument,
            "\(key.identifier.quotedForMessage()) cannot be snoozed: it \(reason). \(remedy).")
    }
}
