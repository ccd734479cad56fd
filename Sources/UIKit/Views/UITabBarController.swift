/// View controllers of which the selected one is visible; nothing is drawn.
///
/// Apple: https://developer.apple.com/documentation/uikit/uitabbarcontroller
@preconcurrency @MainActor
open class UITabBarController: UIViewController {
    private var children: [UIViewController] = []
    private var selection = 0

    /// The view controllers, in the order of the tabs; by default the first one is selected.
    open var viewControllers: [UIViewController]? {
        get { children.isEmpty ? nil : children }
        set { setViewControllers(newValue, animated: false) }
    }

    /// Replaces the view controllers; if the selected view controller is kept, it stays selected.
    open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
        let (former, selected) = (visibleChildren, selectedViewController)
        replaceChildren(children, by: viewControllers ?? [])
        children = viewControllers ?? []
        selection = children.firstIndex { $0 === selected } ?? 0
        updateVisibleChildren(from: former, animated: animated)
    }

    /// The index of the selected view controller; an index without a view controller is ignored.
    open var selectedIndex: Int {
        get { selection }
        set {
            guard children.indices.contains(newValue) else { return }
            let former = visibleChildren
            selection = newValue
            updateVisibleChildren(from: former, animated: false)
        }
    }

    /// The selected view controller; a view controller without a tab is ignored.
    open var selectedViewController: UIViewController? {
        get { children.indices.contains(selection) ? children[selection] : nil }
        set {
            guard let index = children.firstIndex(where: { $0 === newValue }) else { return }
            selectedIndex = index
        }
    }

    override var visibleChildren: [UIViewController] { selectedViewController.map { [$0] } ?? [] }
}
