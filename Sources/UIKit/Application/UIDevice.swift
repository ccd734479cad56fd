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
    /// This is not a version of iOS. To choose code by version, use `#available`; on Linux it takes
    /// the newest branch.
    open var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion)"
    }
    /// An identifier of the computer for all apps of a vendor; nil, because Linux has none.
    open var identifierForVendor: UUID? { nil }
}
