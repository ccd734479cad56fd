internal import DesktopBus

/// One program on the session bus that says whether the session is locked.
///
/// All of them have the members of the first gnome-screensaver, `GetActive` and `ActiveChanged`. What
/// "active" means differs, and what tells a picture from a lock cannot be asked. So active counts as
/// locked everywhere: while a screen saver runs nobody reads a popup, and where no password is
/// needed the first movement ends it, and that is told, too.
struct LockerRow: Sendable {
    /// Its name on the bus.
    var bus: BusName
    /// Where it is asked.
    var path: ObjectPath
    /// Whose members these are.
    var interface: InterfaceName
    /// What it means by "active", and where that is written.
    var source: String

    /// The question whether it is active, which starts nothing.
    var question: MethodCall {
        MethodCall(
            destination: bus, path: path, interface: interface, member: "GetActive",
            flags: .noAutoStart)
    }

    /// From any path: KDE's has two for one object.
    var changes: MatchRule {
        MatchRule(sender: bus, interface: interface, member: "ActiveChanged")
    }
}

extension LockerRow {
    static let table: [LockerRow] = [
        LockerRow(
            bus: "org.freedesktop.ScreenSaver", path: "/org/freedesktop/ScreenSaver",
            interface: "org.freedesktop.ScreenSaver",
            source: "locked: https://invent.kde.org/plasma/kscreenlocker interface.cpp; on GNOME "
                + "and Cinnamon a program that hands on what theirs says"),
        LockerRow(
            bus: "org.gnome.ScreenSaver", path: "/org/gnome/ScreenSaver",
            interface: "org.gnome.ScreenSaver",
            source: "the shield is down, with a lock or without: "
                + "https://gitlab.gnome.org/GNOME/gnome-shell js/ui/shellDBus.js, screenShield.js; "
                + "gnome-screensaver, Gala and Phosh have the same name"),
        LockerRow(
            bus: "org.cinnamon.ScreenSaver", path: "/org/cinnamon/ScreenSaver",
            interface: "org.cinnamon.ScreenSaver",
            source: "active, with a lock or without: "
                + "https://github.com/linuxmint/cinnamon-screensaver src/service.py"),
        LockerRow(
            bus: "org.mate.ScreenSaver", path: "/org/mate/ScreenSaver",
            interface: "org.mate.ScreenSaver",
            source: "active, with a lock or without: "
                + "https://github.com/mate-desktop/mate-screensaver src/gs-listener-dbus.c"),
        LockerRow(
            bus: "org.xfce.ScreenSaver", path: "/org/xfce/ScreenSaver",
            interface: "org.xfce.ScreenSaver",
            source: "active, with a lock or without: "
                + "https://gitlab.xfce.org/apps/xfce4-screensaver src/gs-listener-dbus.c"),
    ]
}
