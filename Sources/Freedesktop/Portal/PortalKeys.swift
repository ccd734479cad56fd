internal import NotificationModel

/// The ids of notifications and the names of actions in the portal.
///
/// Ids and names contain identifiers that the app chose, so ids and names keep their meaning after
/// a restart. The id also names the app, because programs outside of a sandbox share one list of
/// ids.
enum PortalKeys {
    /// The action of a click on the notification itself.
    ///
    /// The action is not called `default`, because a backend replaces an action of that name.
    static let standard = "standard"
    private static let prefix = "action."

    static func id(of key: NotificationKey) -> String {
        "\(key.app)/\(key.identifier)"
    }

    static func key(of id: String) -> NotificationKey? {
        // An app's id has no slash. Compare bytes, because a combining mark at the start of the
        // identifier forms one `Character` with the slash.
        guard let slash = id.utf8.firstIndex(of: UInt8(ascii: "/")),
            let app = try? ApplicationID(String(id[..<slash]))
        else { return nil }
        return NotificationKey(app: app, identifier: String(id[id.utf8.index(after: slash)...]))
    }

    /// The name of an action: only letters, digits, `-` and `.`, because backends read the name as
    /// GAction does.
    ///
    /// The name does not begin with `app.`: that prefix would mean an action that the app exports.
    ///
    /// The name contains the identifier. A button's target could carry it too, but the GTK backend
    /// of xdg-desktop-portal 1.14 loses targets.
    static func name(ofAction identifier: String) -> String {
        prefix
            + identifier.replacingBytes { byte in
                byte.isASCIIAlphanumeric ? nil : "-" + hexadecimal(byte, width: 2)
            }
    }

    /// The user's action; nil for a name without the prefix, or with a broken escape.
    static func action(of name: String) -> NotificationResponse.Action? {
        if name == standard { return .standard }
        guard name.hasPrefix(prefix) else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(name.utf8.dropFirst(prefix.utf8.count))[...]
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "-") {
                bytes.append(byte)
            } else {
                guard let value = UInt8(hexadecimal: rest.prefix(2)) else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            }
        }
        return .custom(String(decoding: bytes, as: UTF8.self))
    }
}
