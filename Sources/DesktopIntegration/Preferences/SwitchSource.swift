/// Where a desktop keeps its switches of apps.
enum SwitchSource: Hashable, Sendable {
    /// GSettings `org.gnome.desktop.notifications.application`, at a path for each app.
    case gnome
    /// The file `plasmanotifyrc`.
    case plasma
    /// The Xfconf channel `xfce4-notifyd`.
    case xfce
}
