internal import CenterInterface
internal import DesktopIntegration
internal import Foundation
internal import NotificationEngine
public import NotificationModel

extension Configuration {
    /// The identity of this process.
    ///
    /// The id is from the first of these sources that has one:
    ///
    /// 1. `chosen`, the id that the app's code has set;
    /// 2. `TOCSIN_APP_ID`;
    /// 3. the Flatpak;
    /// 4. the Snap;
    /// 5. the systemd unit, if it is named after a desktop file that starts this program;
    /// 6. `dev.` and the program's name.
    public func identity(settingID chosen: ApplicationID? = nil) -> ApplicationIdentity {
        let id = chosen ?? detectedID
        var identity =
            Self.desktopFile(of: id) ?? ApplicationIdentity(id: id, name: programName)
        identity.executable = executable
        identity.arguments = arguments
        identity.directory = directory
        identity.resources = resources
        identity.describeUsage(by: propertyListTexts, environment: environment)
        if let nameless = namelessID, nameless != id { identity.formerID = nameless }
        return identity
    }

    static func desktopFile(of id: ApplicationID) -> ApplicationIdentity? {
        DesktopEntry(id: id.rawValue).map {
            var identity = ApplicationIdentity(
                id: id, name: $0.name, icon: $0.icon, hasDesktopEntry: true,
                usageDescription: $0.usageDescription)
            identity.locationUsageDescription = $0.locationUsageDescription
            return identity
        }
    }

    /// The public VAPID key of the app's server: `TOCSINPushServerKey` in the `Info.plist`.
    public var pushServerKey: String? { propertyListTexts["TOCSINPushServerKey"] }

    /// The texts of the `Info.plist` beside the program, by their keys.
    private var propertyListTexts: [String: String] {
        let folder = (executable as NSString).deletingLastPathComponent
        // Another user may have written the file, for example if the folder is /tmp. So the file
        // must be regular, and only a limited number of bytes is read.
        let file = OpenFile(following: folder + "/Info.plist")
        guard let bytes = file?.bytes(upTo: Limits.configurationFile.most),
            let plist = try? PropertyListSerialization.propertyList(
                from: Data(bytes), format: nil),
            let values = plist as? [String: Any]
        else { return [:] }
        return values.compactMapValues { $0 as? String }
    }

    private var detectedID: ApplicationID {
        for source in [{ environment["TOCSIN_APP_ID"] }, { flatpakID }, { snapID }, { unitID }] {
            if let text = source(), let id = try? ApplicationID(text) { return id }
        }
        return namelessID ?? .tocsin
    }

    /// `dev.` and the program's name, for a program without another id.
    ///
    /// Control characters in the name become `-`, and the id is cut to 255 bytes.
    private var namelessID: ApplicationID? {
        var name = String.UnicodeScalarView()
        var room = 255 - "dev.".utf8.count
        for scalar in programName.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            let kept: Unicode.Scalar = isControl ? "-" : scalar
            room -= kept.utf8.count
            guard room >= 0 else { break }
            name.append(kept)
        }
        return try? ApplicationID("dev." + String(name))
    }

    /// The id in the name of this process's systemd unit, if the desktop file of that id starts
    /// this program.
    ///
    /// The unit alone does not identify the app: programs in a terminal run in the terminal's unit.
    private var unitID: String? {
        UnitName.applications(inControlGroups: controlGroups).first { id in
            DesktopEntry.entry(id, starts: executable, environment: environment)
        }
    }

    private var programName: String {
        let name = (executable as NSString).lastPathComponent
        return name.isEmpty ? "app" : name
    }

    /// The id of the Flatpak in which this program runs.
    ///
    /// Source: Flatpak documentation, "/.flatpak-info", group Application, key name.
    private var flatpakID: String? {
        guard let text = try? String(contentsOfFile: FlatpakInfo.path, encoding: .utf8) else {
            return nil
        }
        return FlatpakInfo.application(in: text)
    }

    /// The id of the Snap's app, if this program is one of the Snap's own programs.
    ///
    /// The program must lie in the Snap, because every program that a Snap starts inherits its
    /// variables.
    ///
    /// Source: Snap documentation, "Environment variables"; desktop ids are `<snap>_<app>`.
    private var snapID: String? {
        guard let folder = environment["SNAP"], executable.hasPrefix(folder + "/"),
            let instance = environment["SNAP_INSTANCE_NAME"] ?? environment["SNAP_NAME"]
        else { return nil }
        return SnapName.application(inControlGroups: controlGroups) ?? "\(instance)_\(programName)"
    }
}

extension ApplicationIdentity {
    /// Apple's keys for the text that says why the app wants the location.
    ///
    /// On Linux all keys stand for the same permission, so the first key that has a text counts.
    private static let locationKeys = [
        "NSLocationAlwaysAndWhenInUseUsageDescription", "NSLocationWhenInUseUsageDescription",
        "NSLocationAlwaysUsageDescription", "NSLocationUsageDescription",
    ]

    /// Fills in the usage descriptions that the desktop file lacks, from the texts of the
    /// `Info.plist`.
    ///
    /// A translation in the app's `InfoPlist.strings` takes precedence over the `Info.plist`.
    fileprivate mutating func describeUsage(
        by texts: [String: String], environment: [String: String]
    ) {
        let resources = AppResources(of: self, in: ResourceSurroundings(environment: environment))
        func text(_ keys: [String]) -> String {
            guard let key = keys.first(where: { texts[$0] != nil }) else { return "" }
            return resources.string(key, table: "InfoPlist") ?? texts[key] ?? ""
        }
        if usageDescription.isEmpty {
            usageDescription = text(["NSUserNotificationsUsageDescription"])
        }
        if locationUsageDescription.isEmpty {
            locationUsageDescription = text(Self.locationKeys)
        }
    }
}
