internal import DesktopBus
public import NotificationModel

extension RemoteService {
    /// Passes over the next date of a repeating request, which goes on with the one after it.
    public func skip(
        _ identifier: String, of app: ApplicationID
    ) async throws(NotificationError) -> SkippedOccurrence {
        // Not made again by itself: it would pass over two dates.
        let answer = try await call(
            "Skip", [.string(app.rawValue), .string(identifier)], repeatable: false)
        return try decode("Skip") { () throws(NotificationError) in
            try SkippedOccurrence.record.value(
                of: answer.first ?? .vardict([]), "the skipped dates")
        }
    }
}
