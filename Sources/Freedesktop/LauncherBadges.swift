internal import DesktopBus
internal import NotificationModel

/// The numbers on the apps' icons, and the dock that draws them; pure.
struct LauncherBadges {
    struct Update: Hashable {
        var app: ApplicationID
        var count: Int
    }

    private var dock: BusName?
    private var counts: [ApplicationID: Int] = [:]

    var isDrawn: Bool { dock != nil }

    /// Sets a number and returns the update to send; a new dock needs no update for a 0.
    mutating func set(_ count: Int, of app: ApplicationID) -> [Update] {
        counts[app] = count == 0 ? nil : count
        return [Update(app: app, count: count)]
    }

    /// Notes the dock's owner, and returns all numbers for a new dock.
    mutating func dockChanged(to owner: BusName?) -> [Update] {
        dock = owner
        guard owner != nil else { return [] }
        return counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            Update(app: $0.key, count: $0.value)
        }
    }
}

extension BusConnection {
    /// Sends updates to the docks.
    ///
    /// Errors are ignored: if the bus is lost, the dock is lost too, and a new dock gets all
    /// numbers.
    nonisolated func sendBadges(_ updates: [LauncherBadges.Update]) {
        assumeIsolated { connection in
            for update in updates {
                try? connection.emit(
                    path: LauncherEntry.path(of: update.app), interface: LauncherEntry.interface,
                    member: "Update",
                    arguments: LauncherEntry.update(of: update.app, count: update.count))
            }
        }
    }
}
