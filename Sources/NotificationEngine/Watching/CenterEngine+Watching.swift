public import NotificationModel
internal import NotificationStore

// Whoever shows lists, or what people answer.
extension CenterEngine {
    /// Hears of every change of the lists and of every answer, of one app or of all.
    public func watch(
        _ app: ApplicationID?, listener: @escaping @Sendable (ServiceChange) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        let session = ServiceSession(rawValue: state.nextNumber())
        watchers[session] = listener
        state.changes.watch(app, as: session)
        reportQuiet()
        return session
    }

    /// Ends what `watch` began.
    public func unwatch(_ session: ServiceSession) async {
        watchers[session] = nil
        state.changes.unwatch(session)
        reportQuiet()
    }

    /// Notes that lists of an app have changed, or of any where it is nil.
    func changed(_ lists: ChangedLists, of app: ApplicationID?) {
        let now = clock.now()
        guard state.changes.note(lists, of: app, boot: now.boot) else { return }
        perform([.arm(state.alarms(now: now))])
    }

    /// Notes what the ends of attempts mean for the lists.
    func changed(by settlements: [Settlement]) {
        for settlement in settlements {
            switch settlement.outcome {
            case .delivered, .listed: changed([.pending, .delivered], of: settlement.claimed.app)
            case .suppressed, .withoutPopup, .failed, .returned:
                changed(.pending, of: settlement.claimed.app)
            }
        }
    }
}
