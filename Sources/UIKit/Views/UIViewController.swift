/// The code behind a view; the view is not drawn, but the methods run as on Apple's platforms.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiviewcontroller
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    /// The title.
    open var title: String?
    /// The view controller that this view controller or one of its containers presents.
    open var presentedViewController: UIViewController? {
        presented ?? parent?.presentedViewController
    }
    /// The view controller that presents this view controller or one of its containers.
    open var presentingViewController: UIViewController? {
        presenter ?? parent?.presentingViewController
    }
    /// The container of this view controller, such as a ``UINavigationController``.
    open internal(set) weak var parent: UIViewController?
    weak var window: UIWindow?

    private var presented: UIViewController?
    private weak var presenter: UIViewController?
    private var loadedView: UIView?
    private var isLoading = false
    private var isVisible = false
    /// The calls of the app's methods since the last disappearance.
    private var appearance = Appearance.none

    private enum Appearance {
        case none
        case willAppear
        case didAppear
    }

    /// Makes a view controller; there are no nib files on Linux, so the names are ignored.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    /// Makes a view controller that makes its own view.
    public override convenience init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// Makes a view controller, as a storyboard does; the archive is not read.
    public required init?(coder: NSCoder) {
        super.init()
    }

    // Implicitly unwrapped, as Apple declares it: code may use the view, or compare it with nil.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The view; reading this property loads the view if it is not loaded yet.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set { loadedView = newValue }
    }

    /// The view if it is loaded.
    public var viewIfLoaded: UIView? { loadedView }

    /// Whether the view is loaded.
    public var isViewLoaded: Bool { loadedView != nil }

    /// If the view is not loaded yet, loads it and calls `viewDidLoad`.
    public func loadViewIfNeeded() {
        guard loadedView == nil, !isLoading else { return }
        isLoading = true
        loadView()
        if loadedView == nil { loadedView = UIView(frame: .zero) }
        isLoading = false
        viewDidLoad()
    }

    /// Makes the view and sets it.
    open func loadView() {
        view = UIView(frame: .zero)
    }

    /// The view is loaded; called once.
    open func viewDidLoad() {}
    /// The view is about to appear.
    open func viewWillAppear(_ animated: Bool) {}
    /// The view has appeared.
    open func viewDidAppear(_ animated: Bool) {}
    /// The view is about to disappear.
    open func viewWillDisappear(_ animated: Bool) {}
    /// The view has disappeared.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Memory is scarce; never called on Linux.
    open func didReceiveMemoryWarning() {}

    /// The superview of this controller's view, or else its container or its window.
    open override var next: UIResponder? { loadedView?.superview ?? parent ?? window }

    /// Presents another view controller over this view controller.
    ///
    /// The outermost container of this view controller presents it, as on Apple's platforms. A
    /// ``UIAlertController`` becomes a dialog of the desktop. Any other view controller loads its
    /// view and appears. If this view controller already presents another, the call has no effect,
    /// and a line is written to standard error.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil else {
            UIApplication.logMessage(
                "\(Self.self) presents a view controller already, so it does not present "
                    + "\(type(of: viewControllerToPresent)). Dismiss the first one.")
            return
        }
        // Apps look for the visible view controller from the window's root.
        var container: UIViewController = self
        while let outer = container.parent { container = outer }
        container.presented = viewControllerToPresent
        viewControllerToPresent.presenter = container
        viewControllerToPresent.appear(animated: flag)
        completion?()
    }

    /// Dismisses the presented view controller, or this view controller if it presents none.
    ///
    /// If this view controller neither presents another nor is presented, its container is asked.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        if let former = presented {
            former.presenter = nil
            presented = nil
            // The view controllers that the presented one presents are dismissed, too.
            if former.presented != nil { former.dismiss(animated: flag) }
            former.disappear(animated: flag)
        } else if let other = presenter ?? parent {
            return other.dismiss(animated: flag, completion: completion)
        }
        completion?()
    }

    /// The contained view controllers that appear and disappear with this container.
    var visibleChildren: [UIViewController] { [] }

    // `appear` and `disappear` call methods of the app. In each of these methods, the app may hide
    // or show this view controller, for example by pushing another one. So the state is checked
    // after each call.

    func appear(animated: Bool) {
        guard !isVisible else { return }
        isVisible = true
        loadViewIfNeeded()
        guard isVisible, appearance == .none else { return }
        appearance = .willAppear
        viewWillAppear(animated)
        for child in visibleChildren where isVisible { child.appear(animated: animated) }
        guard isVisible, appearance == .willAppear else { return }
        appearance = .didAppear
        viewDidAppear(animated)
    }

    func disappear(animated: Bool) {
        guard isVisible else { return }
        isVisible = false
        guard appearance != .none else { return }
        appearance = .none
        viewWillDisappear(animated)
        for child in visibleChildren where !isVisible { child.disappear(animated: animated) }
        if !isVisible { viewDidDisappear(animated) }
    }

    func replaceChildren(_ former: [UIViewController], by children: [UIViewController]) {
        for removed in former where removed.parent === self { removed.parent = nil }
        for child in children { child.parent = self }
    }

    /// Makes children disappear and appear after `visibleChildren` has changed.
    ///
    /// `former` is the value before the change.
    func updateVisibleChildren(from former: [UIViewController], animated: Bool) {
        guard isVisible else { return }
        let visible = visibleChildren
        for child in former where !visible.contains(child) { child.disappear(animated: animated) }
        for child in visible where !former.contains(child) { child.appear(animated: animated) }
    }
}
