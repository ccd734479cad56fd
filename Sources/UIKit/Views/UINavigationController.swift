/// A stack of view controllers, of which the last one is visible; nothing is drawn.
///
/// Apple: https://developer.apple.com/documentation/uikit/uinavigationcontroller
@preconcurrency @MainActor
open class UINavigationController: UIViewController {
    private var stack: [UIViewController] = []

    /// Makes a stack with one view controller.
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        setViewControllers([rootViewController], animated: false)
    }

    /// Makes an empty stack; there are no nib files on Linux, so the names are ignored.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// Makes an empty stack; the archive is not read.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The view controllers, the visible one last.
    open var viewControllers: [UIViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }

    /// The last view controller of the stack.
    open var topViewController: UIViewController? { stack.last }

    /// The view controller that the top view controller presents, or else the top view controller.
    open var visibleViewController: UIViewController? {
        topViewController?.presentedViewController ?? topViewController
    }

    /// Replaces the stack.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        let former = visibleChildren
        replaceChildren(stack, by: viewControllers)
        stack = viewControllers
        updateVisibleChildren(from: former, animated: animated)
    }

    /// Shows a view controller in place of the visible one.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        setViewControllers(stack + [viewController], animated: animated)
    }

    /// Removes and returns the visible view controller.
    ///
    /// If the stack has only one view controller, nothing is removed, and the result is nil.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1 else { return nil }
        let popped = topViewController
        setViewControllers(stack.dropLast(), animated: animated)
        return popped
    }

    /// Removes and returns the view controllers after `viewController`.
    ///
    /// The result is nil if `viewController` is not in the stack.
    @discardableResult
    open func popToViewController(
        _ viewController: UIViewController, animated: Bool
    ) -> [UIViewController]? {
        guard let index = stack.firstIndex(where: { $0 === viewController }) else { return nil }
        let popped = Array(stack[(index + 1)...])
        setViewControllers(Array(stack[...index]), animated: animated)
        return popped
    }

    /// Removes and returns all view controllers except the first one.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        stack.first.flatMap { popToViewController($0, animated: animated) }
    }

    override var visibleChildren: [UIViewController] { stack.suffix(1) }
}

extension UIViewController {
    /// The nearest navigation controller whose stack contains this view controller.
    public var navigationController: UINavigationController? {
        parent as? UINavigationController ?? parent?.navigationController
    }

    /// The nearest tab bar controller that contains this view controller.
    public var tabBarController: UITabBarController? {
        parent as? UITabBarController ?? parent?.tabBarController
    }
}
