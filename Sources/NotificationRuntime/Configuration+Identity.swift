internal import DesktopIntegration
internal import Foundation
public import NotificationModel

extension Configuration {
    /// Who this process is: the id that was set in code, `TOCSIN_APP_ID`, the Flatpak or Snap it
    /// runs in, and otherwise `dev.` and the program's name.
    public func identity(settingID chosen: ApplicationID? = nil) -> ApplicationIdentity {
        let id = chosen ?? detectedID
        let entry = DesktopEntry(id: id.rawValue)
        return ApplicationIdentity(
            id: id, name: entry?.name ?? programName, icon: entry?.icon ?? "",
            hasDesktopEntry: entry != nil, executable: executable, arguments: arguments,
            directory: directory, usageDescription: usageDescription(entry), resources: resources)
    }

    /// Why the app notifies: its desktop file says it, or the `Info.plist` beside the program.
    private func usageDescription(_ entry: DesktopEntry?) -> String {
        if let text = entry?.usageDescription, !text.isEmpty { return text }
        let folder = (executable as NSString).deletingLastPathComponent
        guard let data = FileManager.default.contents(atPath: folder + "/Info.plist"),
            let plist = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let values = plist as? [String: Any]
        else { return "" }
        return values["NSUserNotificationsUsageDescription"] as? String ?? ""
    }

    private var detectedID: ApplicationID {
        let candidates = [environment["TOCSIN_APP_ID"], flatpakID, snapID, "dev." + programName]
        let ids = candidates.lazy.compactMap { $0 }.compactMap { try? ApplicationID($0) }
        return ids.first ?? .tocsin
    }

    private var programName: String {
        let name = (executable as NSString).lastPathComponent
        return name.isEmpty ? "app" : name
    }

    /// Source: Flatpak documentation, "/.flatpak-info", group Application, key name.
    private var flatpakID: String? {
        guard let text = try? String(contentsOfFile: "/.flatpak-info", encoding: .utf8) else {
            return nil
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("name=") }
        return line.map { String($0.dropFirst("name=".count)) }
    }

    /// Source: Snap documentation, "Environment variables"; desktop ids are `<snap>_<app>`.
    private var snapID: String? {
        guard let instance = environment["SNAP_INSTANCE_NAME"] ?? environment["SNAP_NAME"],
            environment["SNAP"] != nil
        else { return nil }
        return "\(instance)_\(programName)"
    }
}
