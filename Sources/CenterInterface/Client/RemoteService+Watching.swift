internal import DesktopBus
public import NotificationModel

// Hearing of changes.
extension RemoteService {
    /// Somebody here who watches; nil for all apps.
    struct RemoteWatch {
        var app: ApplicationID?
        let listener: @Sendable (ServiceChange) -> Void
    }

    /// Hears of every change of the lists and of every answer, from every later daemon, too.
    public func watch(
        _ app: ApplicationID?, listener: @escaping @Sendable (ServiceChange) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        try await listen()
        lastSession += 1
        let session = ServiceSession(rawValue: lastSession)
        watches[session] = RemoteWatch(app: app, listener: listener)
        do throws(NotificationError) {
            try await watchDaemon()
        } catch {
            watches[session] = nil
            throw error
        }
        return session
    }

    /// Ends what `watch` began.
    public func unwatch(_ session: ServiceSession) async {
        guard watches.removeValue(forKey: session) != nil, watches.isEmpty else { return }
        // Never worth starting a daemon for.
        await callIfThere(Members.unwatch, ())
    }

    /// One connection is one watcher there: it hears what any of ours here wants to hear.
    func watchDaemon() async throws(NotificationError) {
        let apps = Set(watches.values.map(\.app))
        let app = apps.count == 1 ? apps.first.flatMap(\.self) : nil
        try await call(Members.watch, app)
    }

    /// Another daemon has come, whose lists nobody here knows.
    func watchAgain() async {
        guard !watches.isEmpty else { return }
        // A daemon that died again is followed by another change of owner.
        try? await watchDaemon()
        tell(.lists(nil, [.pending, .delivered]))
    }

    func tell(_ change: ServiceChange) {
        let meant: ApplicationID? =
            switch change {
            case .lists(let app, _): app
            case .answer(let key, _): key.app
            }
        let listening = watches.filter {
            $0.value.app == nil || meant == nil || $0.value.app == meant
        }
        for (_, watch) in listening.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            watch.listener(change)
        }
    }
}
