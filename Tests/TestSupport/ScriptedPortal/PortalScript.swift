package import DesktopBus

/// The behaviour of a scripted portal; a test may change it while the portal runs.
package struct PortalScript: Sendable {
    /// The calls of `AddNotification` that fail.
    package enum Failures: Sendable {
        case none
        case all(ErrorName)
        /// Only calls with an image or a sound fail.
        case withFiles(ErrorName)
    }

    package var version: UInt32 = 1
    /// `SupportedOptions`, if the portal has that property.
    package var options: [String: [String]]?
    package var failures = Failures.none
    /// Whether the answer to `AddNotification` waits for `release()`.
    package var isMute = false

    package init() {}

    /// Version 2 on a desktop whose notifications have text fields, such as Plasma.
    package static var version2: PortalScript {
        var script = PortalScript()
        script.version = 2
        script.options = [
            "category": ["im.received"], "button-purpose": ["im.reply-with-text"],
        ]
        return script
    }
}
