internal import DesktopBus
internal import NotificationModel

/// What the desktop's own settings let an app do, as `a{sv}`.
enum AppSwitchCoding {
    private typealias Part = any WritableKeyPath<AppSwitch, Bool?> & Sendable

    private static let parts: [(key: String, path: Part)] = [
        ("banners", \.showsBanners), ("sounds", \.playsSounds), ("badges", \.showsBadges),
        ("list", \.isListed), ("lockScreen", \.isOnLockScreen),
        ("textsWhileLocked", \.showsTextsWhileLocked),
        ("criticalInSilence", \.showsCriticalInSilence),
    ]

    static func encode(_ value: AppSwitch) -> BusValue {
        var list = EntryList()
        list.text("name", value.desktop)
        list.add("on", .bool(value.isOn))
        for part in parts { list.add(part.key, value[keyPath: part.path].map { .bool($0) }) }
        return list.value
    }

    static func decode(_ values: KeyedValues) throws(NotificationError) -> AppSwitch {
        var value = AppSwitch(desktop: try values.text("name"), isOn: try values.flag("on"))
        for part in parts { value[keyPath: part.path] = try values.bool(part.key) }
        return value
    }
}
