internal import NotificationModel

// On Apple's platforms each app has to implement snoozing itself.
extension UNUserNotificationCenter {
    /// Shows a delivered notification again after this many seconds, or puts off a pending request
    /// once.
    ///
    /// The popup of a delivered notification closes. The next date of a pending request moves later
    /// by `interval`; its other dates stay. If the date has come, and the request waits for a
    /// notification server, `interval` counts from now. Content, actions and attachments stay
    /// unchanged.
    ///
    /// If a delivered notification is snoozed while a repeating request of the same identifier is
    /// pending, no second request is added. The repeating request next fires at the new date, skips
    /// its regular dates before the new date, and then continues.
    ///
    /// - Returns: The date on which the notification fires.
    /// - Throws: A ``UNServiceError`` with the code `invalidArgument` if the notification is
    ///   neither delivered nor pending, or if the pending request has no date. A snoozed delivered
    ///   notification would replace a pending request of the same identifier. So the method also
    ///   throws this error if such a request fires only once or has no date.
    @discardableResult
    public func snooze(
        identifier: String, for interval: TimeInterval
    ) async throws -> Date {
        try await call(Self.snooze(identifier, interval))
    }

    /// Snoozes a notification for this many seconds, and gives the handler the date on which the
    /// notification fires.
    ///
    /// After a failure the handler gets the error that ``snooze(identifier:for:)`` throws.
    public func snooze(
        identifier: String, for interval: TimeInterval,
        completionHandler: (@Sendable (Date?, (any Error)?) -> Void)?
    ) {
        call(Self.snooze(identifier, interval)) { completionHandler?($0, $1) }
    }

    private static func snooze(_ identifier: String, _ interval: TimeInterval) -> Work<Date> {
        { connected throws(NotificationError) in
            Date(
                try await connected.service.snooze(
                    identifier, of: connected.application, for: interval))
        }
    }
}

// Apple's platforms have no call that skips one date of a reminder and keeps its other dates.
extension UNUserNotificationCenter {
    /// Skips the next date of a repeating request, which continues with the date after it.
    ///
    /// Another call skips one more date. A skipped date stays skipped after a restart of the app or
    /// computer. If the time zone changes, the skip keeps its time of day: a skipped date at 8:00
    /// stays skipped at 8:00 in the new zone. An hourly request in a zone farther west is an
    /// exception, because it has other dates before that time of day. It skips only its dates up to
    /// the skipped instant.
    ///
    /// - Returns: The date on which the request fires next.
    /// - Throws: A ``UNServiceError`` with the code `invalidArgument` if the request is not
    ///   pending, or has no date after the one to skip. Remove that request instead.
    @discardableResult
    public func skipNext(identifier: String) async throws -> Date {
        try await call(Self.skip(identifier))
    }

    /// Skips the next date of a repeating request, and gives the handler the date after it.
    ///
    /// After a failure the handler gets the error that ``skipNext(identifier:)`` throws.
    public func skipNext(
        identifier: String, completionHandler: (@Sendable (Date?, (any Error)?) -> Void)?
    ) {
        call(Self.skip(identifier)) { completionHandler?($0, $1) }
    }

    private static func skip(_ identifier: String) -> Work<Date> {
        { connected throws(NotificationError) in
            Date(
                try await connected.service.skip(identifier, of: connected.application).next)
        }
    }
}
