public import NotificationModel
internal import NotificationStore

// Watchers: programs that show lists, or the user's responses.
extension CenterEngine {
    /// Reports list changes and the user's responses to `listener`; `app` is nil for all apps.
    ///
    /// - Throws: Nothing; the protocol lets a remote service throw.
    public func watch(
        _ app: ApplicationID?, listener: @escaping @Sendable (ServiceChange) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        let session = ServiceSession(rawValue: state.nextNumber())
        watchers[session] = listener
        state.changes.watch(app, as: session)
        reportQuiet()
        return session
    }

    /// Ends a session of `watch`.
    public func unwatch(_ session: ServiceSession) async {
        watchers[session] = nil
        state.changes.unwatch(session)
        reportQuiet()
    }

    /// Notes that lists of an app have changed; nil means any app.
    func listsChanged(_ lists: ChangedLists, of app: ApplicationID?) {
        let now = clock.now()
        guard state.changes.recordChange(lists, of: app, boot: now.boot) else { return }
        perform([.arm(state.alarms(now: now))])
    }

    func listsChanged(by settlements: [Settlement]) {
        for settlement in settlements {
            switch settlement.outcome {
            case .delivered, .deliveredSilently:
                listsChanged([.pending, .delivered], of: settlement.claimed.app)
            case .suppressed, .withoutPopup, .failed, .requeued:
                listsChanged(.pending, of: settlement.claimed.app)
            }
        }
    }
}

/// The watchers, and the changes that are not reported to them yet; pure.
struct ChangeLedger: Hashable {
    /// The time for which changes are collected, in microseconds, so that a burst becomes one
    /// signal.
    static let delay: Int64 = 200_000

    /// The app that each watcher watches; nil for all apps.
    private(set) var watchers: [ServiceSession: ApplicationID?] = [:]
    private var changes: [ApplicationID?: ChangedLists] = [:]
    /// The time at which collected changes are reported, on the boot-time clock in microseconds.
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

    /// Notes that lists of an app have changed; nil means any app.
    ///
    /// Returns true if this is the first change since the last report, so that `deadline` is new.
    mutating func recordChange(_ lists: ChangedLists, of app: ApplicationID?, boot: Int64) -> Bool {
        guard !lists.isEmpty, !sessions(watching: app).isEmpty else { return false }
        changes.updateValue(changes[app, default: []].union(lists), forKey: app)
        guard deadline == nil else { return false }
        deadline = boot + Self.delay
        return true
    }

    /// The due reports, one for each watcher and app.
    mutating func dueChanges(boot: Int64) -> [EngineEffect] {
        guard let deadline, deadline <= boot else { return [] }
        let collected = changes.sorted { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }
        self.deadline = nil
        changes = [:]
        return collected.flatMap { app, lists in
            sessions(watching: app).map { .tell($0, .lists(app, lists)) }
        }
    }

    func responseEffects(
        _ key: NotificationKey, _ action: NotificationResponse.Action
    ) -> [EngineEffect] {
        sessions(watching: key.app).map { .tell($0, .answer(key, action)) }
    }

    /// The sessions of the watchers of this app; nil means any app.
    private func sessions(watching app: ApplicationID?) -> [ServiceSession] {
        watchers.filter { $0.value == nil || app == nil || $0.value == app }.keys
            .sorted { $0.rawValue < $1.rawValue }
    }
}
