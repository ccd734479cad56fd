internal import DesktopBus
internal import NotificationModel

/// The number on an app's icon in docks and task bars.
///
/// Source: https://wiki.ubuntu.com/Unity/LauncherAPI. It is a broadcast that docks pick up: those
/// of Plasma, Ubuntu, Plank, and extensions of GNOME Shell. They own the name `com.canonical.Unity`
/// while they listen, forget what they were told when its sender leaves the bus, and know the app
/// by its desktop file.
enum LauncherEntry {
    static let dock: BusName = "com.canonical.Unity"
    static let interface: InterfaceName = "com.canonical.Unity.LauncherEntry"

    static func uri(of app: ApplicationID) -> String { "application://\(app).desktop" }

    /// A path of the form that sandboxes let through: the hash of the URI in digits, as libunity
    /// computes it (djb2, 32 bits).
    static func path(of app: ApplicationID) -> ObjectPath {
        let hash = uri(of: app).utf8.reduce(UInt32(5_381)) { $0 &* 33 &+ UInt32($1) }
        let text = "/com/canonical/unity/launcherentry/\(hash)"
        return (try? ObjectPath(text)) ?? "/com/canonical/unity/launcherentry"
    }

    /// The arguments of `Update`; the count is 64 bits, which some docks insist on.
    static func update(of app: ApplicationID, count: Int) -> [BusValue] {
        [
            .string(uri(of: app)),
            .vardict([
                ("count", .int64(Int64(count))), ("count-visible", .bool(count > 0)),
            ]),
        ]
    }
}
