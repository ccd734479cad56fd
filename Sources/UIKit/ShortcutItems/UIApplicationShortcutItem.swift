/// A quick action of the app.
///
/// On Linux it is stored; the desktop's menus do not show it yet.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem
@preconcurrency @MainActor
open class UIApplicationShortcutItem: NSObject {
    /// The name by which the app knows the action.
    open internal(set) var type: String
    /// Its title.
    open internal(set) var localizedTitle: String
    /// Its second line.
    open internal(set) var localizedSubtitle: String?
    /// Its icon.
    open internal(set) var icon: UIApplicationShortcutIcon?
    /// The app's own data.
    open internal(set) var userInfo: [String: any NSSecureCoding]?

    /// Makes a quick action.
    public init(
        type: String, localizedTitle: String, localizedSubtitle: String?,
        icon: UIApplicationShortcutIcon?, userInfo: [String: any NSSecureCoding]? = nil
    ) {
        self.type = type
        self.localizedTitle = localizedTitle
        self.localizedSubtitle = localizedSubtitle
        self.icon = icon
        self.userInfo = userInfo
        super.init()
    }

    /// Makes a quick action with a title alone.
    public convenience init(type: String, localizedTitle: String) {
        self.init(
            type: type, localizedTitle: localizedTitle, localizedSubtitle: nil, icon: nil)
    }
}

/// The icon of a quick action: the name of an image.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiapplicationshortcuticon
@preconcurrency @MainActor
open class UIApplicationShortcutIcon: NSObject {
    /// A symbol that Apple's platforms draw.
    public enum IconType: Int, Sendable {
        /// The symbols, in Apple's order.
        case compose, play, pause, add, location, search, share, prohibit, contact, home
        /// More symbols.
        case markLocation, favorite, love, cloud, invitation, confirmation, mail, message, date
        /// More symbols.
        case time, capturePhoto, captureVideo, task, taskCompleted, alarm, bookmark, shuffle
        /// More symbols.
        case audio, update
    }

    let imageName: String?

    /// Makes an icon of one of Apple's symbols.
    public init(type: IconType) {
        imageName = nil
        super.init()
    }

    /// Makes an icon of an image of the app.
    public init(templateImageName: String) {
        imageName = templateImageName
        super.init()
    }

    /// Makes an icon of one of Apple's symbols by its name.
    public init(systemImageName: String) {
        imageName = systemImageName
        super.init()
    }
}
