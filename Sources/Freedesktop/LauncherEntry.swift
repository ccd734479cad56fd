internal import DesktopBus
internal import NotificationModel

/// The number on an app's icon in docks and task bars.
///
/// Source: https://wiki.ubuntu.com/Unity/LauncherAPI. Several docks receive this broadcast:
/// Plasma's, Ubuntu's, Plank, and extensions of GNOME Shell.
///
/// A dock owns the name `com.canonical.Unity` while it listens, and knows an app by its desktop
/// file. A dock forgets a number when the number's sender leaves the bus.
enum LauncherEntry {
    static let dock: BusName = "com.canonical.Unity"
    static let interface: InterfaceName = "com.canonical.Unity.LauncherEntry"

    static func uri(of app: ApplicationID) -> String { "application://\(app).desktop" }

    /// A path of the form that sandboxes let through: it ends with a hash of the URI in digits.
    ///
    /// The hash is the one of libunity: djb2 with 32 bits.
    static func path(of app: ApplicationID) -> ObjectPath {
        let hash = uri(of: app).utf8.reduce(UInt32(5_381)) { $0 &* 33 &+ UInt32($1) }
        let text = "/com/canonical/unity/launcherentry/\(hash)"
        return (try? ObjectPath(text)) ?? "/com/canonical/unity/launcherentry"
    }

    /// The arguments of `Update`; the count has 64 bits, which some docks require.
    static func update(of app: ApplicationID, count: Int) -> [BusValue] {
        [
            .string(uri(of: app)),
            .vardict([
                ("count", .int64(Int64(count))), ("count-visible", .bool(count > 0)),
            ]),
        ]
    }
}
