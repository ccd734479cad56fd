internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// The image and the sound file of a notification, in the form that a portal takes.
struct PortalFiles: Sendable {
    var icon: BusValue?
    var sound: BusValue?

    private static let timeout: Duration = .seconds(1)

    /// Reads both files on a thread of `files`, because a file system may hang.
    ///
    /// A file that cannot be read is left out. After the timeout, both files are left out.
    static func read(
        for notification: PortalNotification, version: UInt32, of app: ApplicationID,
        by files: HangingWork
    ) async -> PortalFiles {
        await files.result(for: app.rawValue, within: timeout) {
            read(for: notification, version: version)
        } ?? PortalFiles()
    }

    private static func read(
        for notification: PortalNotification, version: UInt32
    ) -> PortalFiles {
        var files = PortalFiles()
        switch notification.icon {
        case .themed(let name)?:
            files.icon = .structure([.string("themed"), .variant(.strings([name]))])
        case .png(let bytes)?:
            files.icon = value(bytes, version: version)
        case .file(let path)?:
            files.icon = bytes(ofFile: path).flatMap { value($0, version: version) }
        case nil: break
        }
        if case .file(let path)? = notification.sound {
            files.sound = bytes(ofFile: path).flatMap { value($0, version: version) }
        }
        return files
    }

    /// The bytes for version 1, or a file in memory for version 2.
    ///
    /// A portal of version 2 seals the memory file before it reads the file.
    private static func value(_ bytes: [UInt8], version: UInt32) -> BusValue? {
        if version < 2 { return .structure([.string("bytes"), .variant(.bytes(bytes))]) }
        guard let file = try? BusDescriptor(sealable: bytes) else { return nil }
        return .structure([.string("file-descriptor"), .variant(.descriptor(file))])
    }

    private static func bytes(ofFile path: String) -> [UInt8]? {
        let bytes = OpenFile(following: path)?.bytes(upTo: Limits.portalFile.most)
        return bytes?.isEmpty == true ? nil : bytes
    }
}
