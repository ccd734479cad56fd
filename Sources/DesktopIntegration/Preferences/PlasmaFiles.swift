internal import Foundation
internal import NotificationModel

/// Plasma's notification settings: the user's file overrides those of the system.
///
/// Source: XDG Base Directory Specification 0.8.
struct PlasmaFiles: Sendable {
    /// The folder of the user's configuration.
    let folder: String
    let own: String
    private let system: [String]

    init(environment: [String: String]) {
        let home = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        folder = home ?? (environment["HOME"] ?? "/") + "/.config"
        own = "\(folder)/\(PlasmaSwitch.file)"
        // The specification says that a relative path is invalid and must be ignored.
        let folders = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":")
            .filter { $0.hasPrefix("/") }
        system = (folders.isEmpty ? ["/etc/xdg"] : folders).reversed()
            .map { "\($0)/\(PlasmaSwitch.file)" }
    }

    func read() -> KeyFile {
        KeyFile((system + [own]).compactMap(Self.text(of:)))
    }

    /// Sets one key of the user's file and leaves everything else unchanged.
    ///
    /// The method replaces the file in one step, so that no reader sees a half-written file.
    ///
    /// - Throws: `noSettings` if the file cannot be read or written.
    func set(_ key: String, to value: String, in group: String) throws(NotificationError) {
        let former = Self.text(of: own)
        // Replacing a file that cannot be read would lose its other settings.
        guard former != nil || !FileManager.default.fileExists(atPath: own) else {
            throw NotificationError(
                .noSettings,
                "Plasma's file of app settings \(own.quotedForMessage()) could not be read, so it "
                    + "was left as it is. Check its permissions and size.")
        }
        let text = KeyFile.text(former ?? "", setting: key, to: value, in: group)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            // Write to the target of a symbolic link: some users keep the real file elsewhere.
            let file = URL(fileURLWithPath: own).resolvingSymlinksInPath()
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw NotificationError(
                .noSettings,
                "Plasma's file of app settings \(own.quotedForMessage()) could not be written: "
                    + "\(error.localizedDescription) Check its permissions.")
        }
    }

    static func text(of path: String) -> String? {
        OpenFile(following: path)?.bytes(upTo: Limits.configurationFile.most)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
