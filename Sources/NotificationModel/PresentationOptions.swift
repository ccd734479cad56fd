/// How a notification is shown while its app is in front; raw values are Apple's.
public struct PresentationOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options of Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Sets the badge.
    public static let badge = PresentationOptions(rawValue: 1)
    /// Plays the sound.
    public static let sound = PresentationOptions(rawValue: 2)
    /// Apple's old name for list and banner together.
    public static let alert = PresentationOptions(rawValue: 4)
    /// Keeps it in the list.
    public static let list = PresentationOptions(rawValue: 8)
    /// Shows the popup.
    public static let banner = PresentationOptions(rawValue: 16)
    /// Everything: what an app that is not asked gets.
    public static let all: PresentationOptions = [.badge, .sound, .list, .banner]
}
