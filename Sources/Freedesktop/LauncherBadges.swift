internal import DesktopBus
internal import NotificationModel

/// The numbers on the apps' icons, and who draws them; says what a dock is to be told.
struct LauncherBadges {
    /// The number of one app.
    struct Update: Hashable {
        var app: ApplicationID
        var count: Int
    }

    private var dock: BusName?
    private var counts: [ApplicationID: Int] = [:]

    /// Whether something draws them.
    var isDrawn: Bool { dock != nil }

    /// 0 removes a number: that is told once and not kept.
    mutating func set(_ count: Int, of app: ApplicationID) -> [Update] {
        counts[app] = count == 0 ? nil : count
        return [Update(app: app, count: count)]
    }

    /// A dock that has come was told nothing yet.
    mutating func dockChanged(to owner: BusName?) -> [Update] {
        dock = owner
        guard owner != nil else { return [] }
        return counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            Update(app: $0.key, count: $0.value)
        }
    }
}

extension BusConnection {
    /// Tells the docks; without a bus there is none, and a new one is told when it comes.
    func tell(_ updates: [LauncherBadges.Update]) {
        for update in updates {
            try? emit(
                path: LauncherEntry.path(of: update.app), interface: LauncherEntry.interface,
                member: "Update",
                arguments: LauncherEntry.update(of: update.app, count: update.count))
        }
    }
}
