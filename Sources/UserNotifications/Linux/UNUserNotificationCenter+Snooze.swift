internal import NotificationModel

// Putting a notification off; Apple's platforms leave that to every app.
extension UNUserNotificationCenter {
    /// Takes a delivered notification away and shows it again after so many seconds; or puts off the
    /// next date of a pending request by so much, once.
    ///
    /// Gives the date on which it fires. Content, actions and attachments stay as they are. Where a
    /// repeating request of the same identifier is pending, that one fires once more, and its dates
    /// up to then are passed over.
    ///
    /// Throws a ``UNServiceError`` with the code `invalidArgument` for a notification that is
    /// neither delivered nor pending, for a request that has no date, and where a request of the same
    /// identifier that fires once would be replaced.
    @discardableResult
    public func snooze(
        identifier: String, for interval: TimeInterval
    ) async throws -> Date {
        try await call(Self.snooze(identifier, interval))
    }

    /// Puts a notification off, and gives the handler the date on which it fires.
    ///
    /// The handler gets the error that ``snooze(identifier:for:)`` throws where nothing was changed.
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

// Passing over one date of a reminder without losing the others; Apple's platforms have no such call.
extension UNUserNotificationCenter {
    /// Passes over the next date of a repeating request, which goes on with the one after it.
    ///
    /// Gives the date on which it fires next. Called again it passes over one more; what is skipped
    /// stays skipped when the app or the computer is started again, or the time zone changes.
    ///
    /// Throws a ``UNServiceError`` with the code `invalidArgument` for a request that is not
    /// pending, or that has no date after the one to skip: remove that one instead.
    @discardableResult
    public func skipNext(identifier: String) async throws -> Date {
        try await call(Self.skip(identifier))
    }

    /// Passes over the next date of a repeating request, and gives the handler the one after it.
    ///
    /// The handler gets the error that ``skipNext(identifier:)`` throws where nothing was skipped.
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
