internal import DesktopBus
public import NotificationModel
internal import Reactor

extension FreedesktopPresenter {
    /// Sets the number on an app's icon; 0 removes it.
    public nonisolated func setBadge(_ count: Int, of app: ApplicationID) {
        onReactor { $0.connection.sendBadges($0.badges.set(count, of: app)) }
    }

    func dockChanged(to owner: BusName?) {
        connection.sendBadges(badges.dockChanged(to: owner))
    }
}
