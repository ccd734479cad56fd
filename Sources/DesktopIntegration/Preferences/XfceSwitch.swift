internal import DesktopBus
internal import NotificationModel

/// The notification switch of an app in Xfce's settings: whether the list of muted apps names it.
///
/// Source: xfconf common/xfconf-dbus.xml; xfce4-notifyd common/xfce-notify-common.h.
enum XfceSwitch {
    static let channel = "xfce4-notifyd"
    static let muted = "/applications/muted_applications"
    static let known = "/applications/known_applications"
    static let bus: BusName = "org.xfce.Xfconf"
    static let path: ObjectPath = "/org/xfce/Xfconf"
    static let interface: InterfaceName = "org.xfce.Xfconf"
    /// The error about a property that nobody has set.
    static let unset = "org.xfce.Xfconf.Error.PropertyNotFound"

    static func get(_ property: String) -> MethodCall {
        MethodCall(
            destination: bus, path: path, interface: interface, member: "GetProperty",
            arguments: [.string(channel), .string(property)], flags: .noAutoStart)
    }

    static func set(_ property: String, to list: [String]) -> MethodCall {
        MethodCall(
            destination: bus, path: path, interface: interface, member: "SetProperty",
            arguments: [
                .string(channel), .string(property),
                .variant(.array(element: "v", list.map { .variant(.string($0)) })),
            ], flags: .noAutoStart)
    }

    static func list(_ value: BusValue) -> [String]? {
        value.stringsValue ?? value.arrayValue?.compactMap(\.stringValue)
    }

    static func value(of app: ApplicationID, muted: [String]) -> AppSwitch {
        AppSwitch(desktop: "Xfce", isOn: !muted.contains(app.rawValue))
    }

    static func muted(_ list: [String], turning isOn: Bool, _ app: ApplicationID) -> [String] {
        list.filter { $0 != app.rawValue } + (isOn ? [] : [app.rawValue])
    }
}
