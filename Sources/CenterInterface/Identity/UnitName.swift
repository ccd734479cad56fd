internal import NotificationModel

/// Finds the app of a systemd unit from the unit's name.
///
/// Source: systemd.io, "Desktop Environment Integration": `app[-<launcher>]-<id>-<random>.scope`
/// and `app[-<launcher>]-<id>[@<random>].service`, each part escaped as systemd.unit(5) says.
package enum UnitName {
    /// The ids that the unit of these control groups may mean, the likeliest first.
    ///
    /// Some launchers do not escape the hyphens of an id, so the unit's name can be read in two
    /// ways. The caller compares the ids with the desktop files that exist.
    package static func applications(inControlGroups text: String) -> [String] {
        ControlGroups.units(in: text, prefix: "app-").lazy.map(applications(of:))
            .first { !$0.isEmpty } ?? []
    }

    package static func applications(of unit: String) -> [String] {
        guard unit.hasPrefix("app-"), let dot = unit.lastIndex(of: ".") else { return [] }
        var body = unit[..<dot].dropFirst("app-".count)
        switch unit[dot...] {
        case ".scope":
            guard let hyphen = body.lastIndex(of: "-") else { return [] }
            body = body[..<hyphen]
        case ".service":
            if let at = body.firstIndex(of: "@") { body = body[..<at] }
        default: return []
        }
        var readings = [body]
        if let hyphen = body.firstIndex(of: "-") {
            readings.insert(body[body.index(after: hyphen)...], at: 0)
        }
        return readings.compactMap(unescaped).filter { !$0.isEmpty }
    }

    /// Undoes systemd's escaping; nil if an escape is broken or the bytes are not UTF-8.
    ///
    /// Source: systemd.unit(5), "String Escaping for Inclusion in Unit Names".
    static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard rest.first == UInt8(ascii: "x"),
                let value = UInt8(hexadecimal: rest.dropFirst().prefix(2))
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(3)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
