package import DesktopBus

/// How a scripted portal behaves; every switch may change while it runs.
package struct PortalScript: Sendable {
    /// Which calls of `AddNotification` fail.
    package enum Failures: Sendable {
        case none
        case all(ErrorName)
        /// Only calls with a picture or a sound fail.
        case withFiles(ErrorName)
    }

    package var version: UInt32 = 1
    /// `SupportedOptions`, where it has that property.
    package var options: [String: [String]]?
    package var failures = Failures.none
    /// Whether the answers of `AddNotification` never come.
    package var isMute = false

    package init() {}

    /// Version 2 on a desktop whose notifications have text fields, as Plasma's.
    package static var version2: PortalScript {
        var script = PortalScript()
        script.version = 2
        script.options = [
            "category": ["im.received"], "button-purpose": ["im.reply-with-text"],
        ]
        return script
    }
}
