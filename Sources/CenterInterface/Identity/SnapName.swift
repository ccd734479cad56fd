/// The Snap of a process, from snapd's names for control groups and security labels.
///
/// Sources: snapd, `sandbox/cgroup` (`snap.<instance>.<app>-<uuid>.scope`,
/// `snap.<instance>.<app>.service`); AppArmor labels `snap.<instance>.<app> (enforce)`.
package enum SnapName {
    /// The id of the Snap's desktop file, `<instance>_<app>`, from the process's control groups.
    package static func application(inControlGroups text: String) -> String? {
        ControlGroups.units(in: text, prefix: "snap.").lazy.compactMap(application(inUnit:)).first
    }

    /// The id of the Snap's desktop file, from the label of a security module that confines the
    /// process.
    ///
    /// The result is nil if AppArmor only reports violations (complain mode), as it does for a Snap
    /// with classic confinement.
    package static func application(confinedBy label: String) -> String? {
        guard label.hasPrefix("snap."), label.hasSuffix("(enforce)") else { return nil }
        return application(inUnit: String(label.prefix { $0 != " " }))
    }

    private static func application(inUnit name: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, !parts[1].isEmpty else { return nil }
        var app = parts[2]
        // In a scope's name, a UUID of five groups follows the name of the app.
        if parts.last == "scope" {
            let groups = app.split(separator: "-", omittingEmptySubsequences: false)
            if groups.count > 5 {
                app = app.prefix(groups.dropLast(5).joined(separator: "-").count)
            }
        }
        return app.isEmpty ? nil : "\(parts[1])_\(app)"
    }
}
