internal import DesktopBus
public import NotificationModel

/// The numbers on the apps' icons.
extension FreedesktopPresenter {
    /// Sets the number on an app's icon; 0 removes it.
    public func setBadge(_ count: Int, of app: ApplicationID) async {
        badges[app] = count
        sendBadge(of: app)
    }

    /// A dock has come that was told nothing yet.
    func dockChanged(to owner: BusName?) {
        dock = owner
        guard owner != nil else { return }
        for app in badges.keys.sorted(by: { $0.rawValue < $1.rawValue }) { sendBadge(of: app) }
    }

    private func sendBadge(of app: ApplicationID) {
        guard let count = badges[app] else { return }
        connection.assumeIsolated { connection in
            // Without a bus there is no dock; a new one is told by `dockChanged`.
            try? connection.emit(
                path: LauncherEntry.path(of: app), interface: LauncherEntry.interface,
                member: "Update", arguments: LauncherEntry.update(of: app, count: count))
        }
        if count == 0 { badges[app] = nil }
    }
}
