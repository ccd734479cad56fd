internal import DesktopBus
internal import NotificationModel

/// The version of a portal's interface, and the options that the desktop behind it knows.
struct PortalInformation: Hashable, Sendable {
    static let replyPurpose = "im.reply-with-text"
    static let messageCategory = "im.received"

    /// The interface's version; markup, sounds, display hints, categories and purposes of buttons
    /// need version 2.
    var version: UInt32 = 1
    var categories: Set<String> = []
    var purposes: Set<String> = []

    var takesReplies: Bool {
        version >= 2 && purposes.contains(Self.replyPurpose)
    }
}

extension PortalInformation {
    /// Reads the properties; a missing or wrong property gets the value of version 1.
    init(properties: [String: BusValue]) {
        version = max(1, properties["version"]?.uint32Value ?? 1)
        let options = properties["SupportedOptions"]?.unwrapped.vardictValue ?? [:]
        func names(_ key: String) -> Set<String> {
            Set((options[key]?.stringsValue ?? []).prefix(Limits.capabilities.most))
        }
        (categories, purposes) = (names("category"), names("button-purpose"))
    }

    /// The status that 'tocsin doctor' and an app's settings report.
    var status: PresenterStatus {
        var capabilities = ["actions", "body", "icon-static"]
        if version >= 2 { capabilities += ["body-markup", "sound"] }
        if takesReplies { capabilities.append("inline-reply") }
        var status = PresenterStatus(
            isAvailable: true, name: "xdg-desktop-portal", vendor: "freedesktop.org",
            version: "\(version)", specification: PortalInterface.interface.rawValue,
            capabilities: capabilities.sorted())
        status.isPortal = true
        return status
    }
}
