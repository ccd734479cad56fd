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

/// Who watches, and what has changed since they were told last; pure.
struct ChangeLedger: Hashable {
    /// How long changes collect, in microseconds: a burst is one signal.
    static let delay: Int64 = 200_000

    /// Whom each watcher watches; nil for all apps.
    private(set) var watchers: [ServiceSession: ApplicationID?] = [:]
    private var changes: [ApplicationID?: ChangedLists] = [:]
    /// When what collected is told, on the boot-time clock.
    private(set) var deadline: Int64?

    mutating func watch(_ app: ApplicationID?, as session: ServiceSession) {
        watchers.updateValue(app, forKey: session)
    }

    mutating func unwatch(_ session: ServiceSession) {
        watchers.removeValue(forKey: session)
        guard watchers.isEmpty else { return }
        changes = [:]
        deadline = nil
    }

    /// Notes that lists of an app have changed, or of any where it is nil; true where the first of
    /// several changes sets the time at which they are told.
    mutating func note(_ lists: ChangedLists, of app: ApplicationID?, boot: Int64) -> Bool {
        let isWatched = watchers.values.contains { $0 == nil || app == nil || $0 == app }
        guard isWatched, !lists.isEmpty else { return false }
        changes.updateValue(changes[app, default: []].union(lists), forKey: app)
        guard deadline == nil else { return false }
        deadline = boot + Self.delay
        return true
    }

    /// What is to be told by now, and to whom.
    mutating func due(boot: Int64) -> [EngineEffect] {
        guard let deadline, deadline <= boot else { return [] }
        let collected = changes.sorted { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }
        self.deadline = nil
        changes = [:]
        return collected.flatMap { app, lists in
            sessions { $0 == nil || app == nil || $0 == app }.map { .tell($0, .lists(app, lists)) }
        }
    }

    /// Who is told of an answer, at once.
    func answered(
        _ key: NotificationKey, _ action: NotificationResponse.Action
    ) -> [EngineEffect] {
        sessions { $0 == nil || $0 == key.app }.map { .tell($0, .answer(key, action)) }
    }

    private func sessions(_ isMeant: (ApplicationID?) -> Bool) -> [ServiceSession] {
        watchers.filter { isMeant($0.value) }.keys.sorted { $0.rawValue < $1.rawValue }
    }
}
