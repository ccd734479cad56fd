internal import DesktopBus
public import NotificationModel

extension RemoteService {
    /// A watcher in this program; `app` is nil for all apps.
    struct RemoteWatch {
        var app: ApplicationID?
        let listener: @Sendable (ServiceChange) -> Void
    }

    /// Watches every change of the lists and every response, of this daemon and each later daemon.
    ///
    /// - Throws: An error of `call(_:_:)`.
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

    /// Ends a watch.
    public func unwatch(_ session: ServiceSession) async {
        guard watches.removeValue(forKey: session) != nil, watches.isEmpty else { return }
        // The end of a watch must not start a daemon.
        await callIfThere(Members.unwatch, ())
    }

    /// Sets the watch of this connection; the daemon keeps one watch per connection.
    ///
    /// If all watchers want the same app, the watch covers this app; otherwise it covers all apps.
    func watchDaemon(startingDaemon: Bool = true) async throws(NotificationError) {
        let apps = Set(watches.values.map(\.app))
        let app = apps.count == 1 ? apps.first.flatMap(\.self) : nil
        try await call(Members.watch, app, startingDaemon: startingDaemon)
    }

    /// Watches a new daemon, and reports its lists as changed, because no watcher knows them.
    ///
    /// Returns false only if the call failed and may succeed later.
    func watchAgain() async -> Bool {
        guard !watches.isEmpty else { return true }
        do throws(NotificationError) {
            try await watchDaemon(startingDaemon: false)
        } catch {
            if error.mayPass { return false }
        }
        reportChange(.lists(nil, [.pending, .delivered]))
        return true
    }

    func reportChange(_ change: ServiceChange) {
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
