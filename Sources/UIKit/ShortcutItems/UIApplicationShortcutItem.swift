internal import NotificationModel
internal import NotificationRuntime
internal import UserNotifications

/// A quick action of the app.
///
/// The desktop shows the action in the menu of the app's icon: see
/// ``UIApplication/shortcutItems``. No menu shows the subtitle.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem
@preconcurrency @MainActor
open class UIApplicationShortcutItem: NSObject, @MainActor NSCopying, @MainActor NSMutableCopying {
    /// The name by which the app knows the action.
    open internal(set) var type: String
    /// The title.
    open internal(set) var localizedTitle: String
    /// The second line.
    open internal(set) var localizedSubtitle: String?
    /// The icon.
    open internal(set) var icon: UIApplicationShortcutIcon?
    /// The app's own data.
    ///
    /// On Linux the data must be a property list of strings, numbers, dates and data.
    open internal(set) var userInfo: [String: any NSSecureCoding]?
    /// The scene that should perform the action; without effect, because an app has one scene.
    open internal(set) var targetContentIdentifier: Any?
    /// The token with which the app may raise its window; nil if the desktop gave none.
    ///
    /// Only Linux has this property. Only an item that the user has chosen has a token. Give the
    /// token to the app's toolkit.
    public internal(set) var activationToken: String?

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

    /// An immutable quick action with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        self is UIMutableApplicationShortcutItem
            ? filled(UIApplicationShortcutItem(type: type, localizedTitle: localizedTitle)) : self
    }

    /// A ``UIMutableApplicationShortcutItem`` with the same values.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        filled(UIMutableApplicationShortcutItem(type: type, localizedTitle: localizedTitle))
    }

    private func filled<Item: UIApplicationShortcutItem>(_ copy: Item) -> Item {
        copy.localizedSubtitle = localizedSubtitle
        copy.icon = icon
        copy.userInfo = userInfo
        copy.targetContentIdentifier = targetContentIdentifier
        copy.activationToken = activationToken
        return copy
    }

    convenience init(_ action: QuickAction) {
        var values: [String: any NSSecureCoding] = [:]
        for (key, value) in action.userInfo.foundationObjects {
            if let key = key.base as? String { values[key] = Self.secureObject(value) }
        }
        self.init(
            type: action.type, localizedTitle: action.title,
            localizedSubtitle: action.subtitle.isEmpty ? nil : action.subtitle,
            icon: action.icon.isEmpty ? nil : UIApplicationShortcutIcon(iconName: action.icon),
            userInfo: values.isEmpty ? nil : values)
    }

    /// Returns an object, because Swift's own values do not conform to `NSSecureCoding` on Linux.
    ///
    /// An app reads a string object with `as? String`, as on Apple's platforms.
    private static func secureObject(_ value: Any) -> (any NSSecureCoding)? {
        switch value {
        case let value as String: value as NSString
        case let value as Data: value as NSData
        case let value as Date: value as NSDate
        case let value as [AnyHashable: Any]: NSDictionary(dictionary: value)
        case let value as [Any]: NSArray(array: value)
        case let value as NSNumber: value
        default: nil
        }
    }

    /// The action for the desktop file.
    ///
    /// - Throws: `invalidArgument` if the user info is no property list.
    func quickAction() throws(NotificationError) -> QuickAction {
        var action = QuickAction(kind: .dynamic, type: type, title: localizedTitle)
        action.subtitle = localizedSubtitle ?? ""
        action.icon = icon?.desktopName ?? ""
        var values: [AnyHashable: Any] = [:]
        for (key, value) in userInfo ?? [:] { values[key] = Self.plainValue(value) }
        action.userInfo = try [String: PropertyListValue](userInfo: values)
        return action
    }

    private static func plainValue(_ object: Any) -> Any {
        switch object {
        case let object as NSString: object._bridgeToSwift()
        case let object as NSData: object._bridgeToSwift()
        case let object as NSDate: object._bridgeToSwift()
        case let object as NSArray: (0..<object.count).map { plainValue(object.object(at: $0)) }
        case let object as NSDictionary:
            Dictionary(
                object.allKeys.compactMap { key -> (AnyHashable, Any)? in
                    guard let name = plainValue(key) as? String,
                        let value = object.object(forKey: key)
                    else { return nil }
                    return (AnyHashable(name), plainValue(value))
                }, uniquingKeysWith: { $1 })
        default: object
        }
    }
}

/// A quick action that the app can change; setting ``UIApplication/shortcutItems`` copies it.
///
/// Apple: https://developer.apple.com/documentation/uikit/uimutableapplicationshortcutitem
@preconcurrency @MainActor
open class UIMutableApplicationShortcutItem: UIApplicationShortcutItem {
    /// The name by which the app knows the action.
    open override var type: String {
        get { super.type }
        set { super.type = newValue }
    }
    /// The title.
    open override var localizedTitle: String {
        get { super.localizedTitle }
        set { super.localizedTitle = newValue }
    }
    /// The second line.
    open override var localizedSubtitle: String? {
        get { super.localizedSubtitle }
        set { super.localizedSubtitle = newValue }
    }
    /// The icon.
    open override var icon: UIApplicationShortcutIcon? {
        get { super.icon }
        set { super.icon = newValue }
    }
    /// The app's own data.
    open override var userInfo: [String: any NSSecureCoding]? {
        get { super.userInfo }
        set { super.userInfo = newValue }
    }
    /// The scene that should perform the action; without effect, because an app has one scene.
    open override var targetContentIdentifier: Any? {
        get { super.targetContentIdentifier }
        set { super.targetContentIdentifier = newValue }
    }
}

/// The icon of a quick action.
///
/// On Linux a symbol of Apple's becomes the most similar icon of the user's theme. An image of the
/// app becomes the path of its file.
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

        var symbol: QuickActionSymbol { QuickActionSymbol.allCases[rawValue] }
    }

    /// The name of a theme icon or an absolute path; nil for an icon that Linux does not have.
    let desktopName: String?

    init(iconName: String) {
        desktopName = iconName
        super.init()
    }

    /// Makes an icon from one of Apple's symbols.
    public init(type: IconType) {
        desktopName = type.symbol.iconName
        super.init()
    }

    /// Makes an icon from an image of the app: a file beside the program or in a resource bundle.
    public init(templateImageName: String) {
        desktopName = UIImage.path(named: templateImageName)
        super.init()
    }

    /// Makes an icon by the name of an SF Symbol, if an icon of the desktop's themes is similar.
    public init(systemImageName: String) {
        desktopName = QuickActionSymbol(systemName: systemImageName)?.iconName
        super.init()
    }
}
