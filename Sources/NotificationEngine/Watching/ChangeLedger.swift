import NotificationModel

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
