/// The computer on which the app runs.
///
/// Apple: https://developer.apple.com/documentation/uikit/uidevice
@preconcurrency @MainActor
open class UIDevice: NSObject {
    /// The computer of this process.
    public static let current = UIDevice()

    /// The name of the computer.
    open var name: String { ProcessInfo.processInfo.hostName }
    /// The kind of computer: `Linux`.
    open var model: String { "Linux" }
    /// The system: `Linux`.
    open var systemName: String { "Linux" }
    /// The version of the Linux kernel in two numbers, such as `6.1`.
    ///
    /// It is no version of iOS. Choose by `#available`, which takes the newest branch on Linux.
    open var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion)"
    }
    /// An identifier of the computer for all apps of a vendor; nil, because Linux has none.
    open var identifierForVendor: UUID? { nil }
}
