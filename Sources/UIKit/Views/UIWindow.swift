/// A window; it is not drawn, but the methods of its root view controller run.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiwindow
@preconcurrency @MainActor
open class UIWindow: UIView {
    /// The window that became key last; nil if it was hidden or released after that.
    private static weak var key: UIWindow?

    /// Whether this window receives events.
    ///
    /// After the key window was hidden or released, the topmost visible window is key.
    open var isKeyWindow: Bool { (Self.key ?? UIApplication.shared.windows.last) === self }

    /// The scene to which the window belongs.
    open weak var windowScene: UIWindowScene?

    /// The view controller that fills the window, and that appears while the window is visible.
    open var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            if !isHidden { oldValue?.disappear(animated: false) }
            oldValue?.window = nil
            rootViewController?.window = self
            content.root = rootViewController
            if !isHidden { rootViewController?.appear(animated: false) }
        }
    }

    private let content = WindowContent()

    /// Whether the window is hidden; true until the app shows the window.
    open override var isHidden: Bool {
        didSet {
            guard oldValue != isHidden else { return }
            // After the key window was hidden, the topmost window is key. It stays key when another
            // window appears above it.
            if Self.key == nil { Self.key = UIApplication.shared.windows.last }
            UIApplication.shared.setVisible(!isHidden, self)
            if isHidden {
                if Self.key === self { Self.key = nil }
                rootViewController?.disappear(animated: false)
            } else {
                rootViewController?.appear(animated: false)
            }
        }
    }

    /// Makes a hidden window.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
    }

    /// Makes a hidden window of a scene.
    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: .zero)
        self.windowScene = windowScene
    }

    /// Makes a hidden window; the archive is not read.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        isHidden = true
    }

    /// Shows the window in front of the app's other windows, and lets it receive events.
    ///
    /// The root view controller loads its view and appears.
    open func makeKeyAndVisible() {
        // Do this before the view controller appears: it may show a window in front of this one.
        makeKey()
        UIApplication.shared.setVisible(true, self)
        isHidden = false
    }

    /// Makes this window the window that receives events; a hidden window stays hidden.
    open func makeKey() {
        Self.key = self
    }
}

/// Lets the view controllers of a window disappear when the window is released.
///
/// `UIWindow` itself has no isolated `deinit`, because a subclass of such a class cannot have an
/// ordinary `deinit`.
@MainActor
private final class WindowContent {
    var root: UIViewController?

    isolated deinit {
        // The app may have moved the view controller to another window.
        guard let root, root.window == nil else { return }
        if root.presentedViewController != nil { root.dismiss(animated: false) }
        root.disappear(animated: false)
    }
}

/// A screen; its properties are unknown, because no views are drawn.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiscreen
@preconcurrency @MainActor
open class UIScreen: NSObject, UICoordinateSpace {
    /// The user's screen.
    public static let main = UIScreen()

    /// The size of the screen: zero.
    open var bounds: CGRect { .zero }
    /// The number of pixels for each point: 1.
    open var scale: CGFloat { 1 }
    /// The coordinates of the screen, which has no orientation here.
    open var coordinateSpace: any UICoordinateSpace { self }
}

/// A system of coordinates.
///
/// Apple: https://developer.apple.com/documentation/uikit/uicoordinatespace
@preconcurrency @MainActor
public protocol UICoordinateSpace: NSObjectProtocol {
    /// The size of the space, in its own coordinates.
    var bounds: CGRect { get }
}
