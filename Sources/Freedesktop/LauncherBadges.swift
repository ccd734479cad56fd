internal import DesktopBus
internal import NotificationModel

/// The numbers on the apps' icons, and whether a dock draws them.
struct LauncherBadges {
    /// Whether a dock is on the bus.
    private(set) var isDrawn = false
    private var counts: [ApplicationID: Int] = [:]

    /// Sets a number, and returns it for the docks.
    ///
    /// A 0 is not kept, because a new dock shows no number anyway.
    mutating func set(_ count: Int, of app: ApplicationID) -> [ApplicationID: Int] {
        counts[app] = count == 0 ? nil : count
        return [app: count]
    }

    /// Records who owns the dock's name on the bus, and returns all numbers for a new dock.
    mutating func dockChanged(to owner: BusName?) -> [ApplicationID: Int] {
        isDrawn = owner != nil
        return isDrawn ? counts : [:]
    }
}

extension BusConnection {
    /// Sends the numbers of apps to the docks, in the order of the apps' ids.
    ///
    /// Errors are ignored: if the bus is lost, the dock is lost too, and a new dock gets all
    /// numbers.
    nonisolated func sendBadges(_ counts: [ApplicationID: Int]) {
        assumeIsolated { connection in
            for (app, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                try? connection.emit(
                    path: LauncherEntry.path(of: app), interface: LauncherEntry.interface,
                    member: "Update", arguments: LauncherEntry.update(of: app, count: count))
            }
        }
    }
}
