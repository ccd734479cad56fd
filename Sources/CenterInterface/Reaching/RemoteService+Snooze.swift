internal import DesktopBus
public import NotificationModel

extension RemoteService {
    /// Takes a delivered notification away and shows it again after so many seconds, or puts off
    /// the next date of a waiting request.
    public func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) async throws(NotificationError) -> Instant {
        // Not made again by itself: it would put off twice.
        let answer = try await call(
            "Snooze", [.string(app.rawValue), .string(identifier), .double(seconds)],
            repeatable: false)
        return try decode("Snooze") { () throws(NotificationError) in
            guard let date = answer.first?.int64Value else {
                throw NotificationError(.protocolViolation, "There is no date in it.")
            }
            return Instant(microseconds: date)
        }
    }
}
