import Foundation
import TestSupport
import Testing
import UIKit

/// Windows and view controllers run the code of apps, though they draw nothing.
@MainActor
@Suite struct ViewTests {
    private class Page: UIViewController {
        let heard = Recording<String>()

        override func viewDidLoad() {
            super.viewDidLoad()
            heard.append("viewDidLoad")
        }

        override func viewWillAppear(_ animated: Bool) { heard.append("viewWillAppear") }
        override func viewDidAppear(_ animated: Bool) { heard.append("viewDidAppear") }
        override func viewDidDisappear(_ animated: Bool) { heard.append("viewDidDisappear") }
    }

    private final class OwnView: UIViewController {
        let text: String

        init(text: String) {
            self.text = text
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) { nil }

        override func loadView() { view = UIImageView(image: nil) }
    }

    private final class Welcome: UIViewController {
        var overlay: UIWindow?

        override func viewDidAppear(_ animated: Bool) { overlay?.makeKeyAndVisible() }
    }

    /// A view controller that can show another controller when it loads or before it appears.
    private final class Redirecting: Page {
        var loaded: (() -> Void)?
        var willAppear: (() -> Void)?

        override func viewDidLoad() {
            super.viewDidLoad()
            loaded?()
        }

        override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            willAppear?()
        }
    }

    @Test func `a root view controller loads and appears with its window`() {
        let window = UIWindow(frame: UIScreen.main.bounds)
        let page = Page()
        window.rootViewController = page
        #expect(page.heard.all.isEmpty && !page.isViewLoaded)
        window.makeKeyAndVisible()
        #expect(page.heard.all == ["viewDidLoad", "viewWillAppear", "viewDidAppear"])
        #expect(UIApplication.shared.windows.contains { $0 === window })
        #expect(window.isKeyWindow)
        let next = Page()
        window.rootViewController = next
        #expect(page.heard.all.last == "viewDidDisappear")
        #expect(next.heard.all.last == "viewDidAppear")
        window.isHidden = true
        #expect(next.heard.all.last == "viewDidDisappear")
        #expect(!UIApplication.shared.windows.contains { $0 === window })
    }

    /// A window that becomes key while hidden must not stay key beside the next key window.
    @Test func `a hidden window can be key, and another window that becomes key replaces it`() {
        let (hidden, other) = (UIWindow(frame: .zero), UIWindow(frame: .zero))
        hidden.makeKey()
        #expect(hidden.isHidden && hidden.isKeyWindow)
        #expect(!UIApplication.shared.windows.contains { $0 === hidden })
        other.makeKeyAndVisible()
        #expect(other.isKeyWindow && !hidden.isKeyWindow)
        hidden.isHidden = false
        #expect(UIApplication.shared.keyWindow === other)
        other.isHidden = true
        #expect(!other.isKeyWindow)
        hidden.isHidden = true
    }

    /// Apps present alerts in a window of their own, and then use the key window again.
    @Test func `the topmost visible window becomes key after the key window is hidden`() {
        let (main, overlay) = (UIWindow(frame: .zero), UIWindow(frame: .zero))
        main.makeKeyAndVisible()
        overlay.makeKeyAndVisible()
        overlay.isHidden = true
        #expect(main.isKeyWindow && UIApplication.shared.keyWindow === main)
        main.isHidden = true
        #expect(!main.isKeyWindow)
    }

    /// Apps show a banner in a window that does not become key, so that it takes no events.
    @Test func `a window that became key when an alert's window was hidden stays key`() {
        let (main, overlay) = (UIWindow(frame: .zero), UIWindow(frame: .zero))
        let banner = UIWindow(frame: .zero)
        main.makeKeyAndVisible()
        overlay.makeKeyAndVisible()
        overlay.isHidden = true
        banner.isHidden = false
        #expect(!banner.isKeyWindow && UIApplication.shared.keyWindow === main)
        main.isHidden = true
        #expect(UIApplication.shared.keyWindow === banner)
        banner.isHidden = true
    }

    /// The frontmost window is the one that becomes key after an alert's window is hidden.
    @Test func `a visible window that becomes key and visible again comes to the front`() {
        let (main, banner) = (UIWindow(frame: .zero), UIWindow(frame: .zero))
        main.makeKeyAndVisible()
        banner.isHidden = false
        #expect(UIApplication.shared.windows.last === banner)
        main.makeKeyAndVisible()
        #expect(UIApplication.shared.windows.last === main)
        #expect(UIApplication.shared.windows.count { $0 === main } == 1)
        main.isHidden = true
        banner.isHidden = true
    }

    /// The first view controller may have to show an alert at once.
    @Test func `a window that a view controller shows when it appears becomes key and frontmost`() {
        let (main, overlay, page) = (UIWindow(frame: .zero), UIWindow(frame: .zero), Welcome())
        page.overlay = overlay
        main.rootViewController = page
        main.makeKeyAndVisible()
        #expect(UIApplication.shared.windows.last === overlay && overlay.isKeyWindow)
        overlay.isHidden = true
        #expect(main.isKeyWindow)
        main.isHidden = true
    }

    /// Apps close the window of an alert by setting their only reference to it to nil.
    @Test func `a visible window is gone as soon as the app releases it`() {
        let main = UIWindow(frame: .zero)
        main.makeKeyAndVisible()
        var overlay: UIWindow? = UIWindow(frame: .zero)
        overlay?.makeKeyAndVisible()
        weak let released = overlay
        overlay = nil
        #expect(released == nil && UIApplication.shared.windows.last === main)
        #expect(UIApplication.shared.keyWindow === main)
        main.isHidden = true
    }

    /// Without the dismissal, the dialog of an alert would stay on the screen, and its button would
    /// call its handler.
    @Test func `a window that is released dismisses what its root view controller presents`() {
        let (page, alert) = (Page(), Page())
        var overlay: UIWindow? = UIWindow(frame: .zero)
        overlay?.rootViewController = page
        overlay?.makeKeyAndVisible()
        page.present(alert, animated: false)
        overlay = nil
        #expect(page.presentedViewController == nil)
        #expect([page, alert].allSatisfy { $0.heard.all.last == "viewDidDisappear" })
    }

    @Test func `the root view controller of a released window appears again with its next window`()
    {
        let page = Page()
        var window: UIWindow? = UIWindow(frame: .zero)
        window?.rootViewController = page
        window?.makeKeyAndVisible()
        window = nil
        window = UIWindow(frame: .zero)
        window?.rootViewController = page
        window?.makeKeyAndVisible()
        #expect(
            page.heard.all.suffix(3) == ["viewDidDisappear", "viewWillAppear", "viewDidAppear"])
        window?.isHidden = true
    }

    @Test func `a view controller stays visible when its former window is released`() {
        let (page, window) = (Page(), UIWindow(frame: .zero))
        var former: UIWindow? = UIWindow(frame: .zero)
        former?.rootViewController = page
        former?.makeKeyAndVisible()
        window.rootViewController = page
        window.makeKeyAndVisible()
        former = nil
        #expect(page.heard.all.last == "viewDidAppear")
        window.isHidden = true
        #expect(page.heard.all.last == "viewDidDisappear")
    }

    @Test func `a view controller presents only one controller at a time`() {
        let (page, sheet) = (Page(), Page())
        page.present(sheet, animated: true)
        #expect(page.presentedViewController === sheet)
        #expect(sheet.presentingViewController === page)
        page.present(Page(), animated: true)
        #expect(page.presentedViewController === sheet)
        sheet.dismiss(animated: true)
        #expect(page.presentedViewController == nil)
        #expect(sheet.heard.all.last == "viewDidDisappear")
    }

    /// The first page of a presented stack often has a button "Done" that closes the whole stack.
    @Test func `a contained controller dismisses what its container presents, then the container`()
    {
        let (page, root, sheet) = (Page(), Page(), Page())
        let stack = UINavigationController(rootViewController: root)
        page.present(stack, animated: true)
        stack.present(sheet, animated: true)
        root.dismiss(animated: true)
        #expect(stack.presentedViewController == nil && page.presentedViewController === stack)
        #expect(sheet.heard.all.last == "viewDidDisappear")
        #expect(root.heard.all.last == "viewDidAppear")
        var isComplete = false
        root.dismiss(animated: true) { isComplete = true }
        #expect(page.presentedViewController == nil && stack.presentingViewController == nil)
        #expect(root.heard.all.last == "viewDidDisappear" && isComplete)
    }

    /// A button "Done" often asks the presenting view controller to dismiss.
    @Test func `a contained controller knows the presentations of its container`() {
        let (page, root, sheet) = (Page(), Page(), Page())
        let stack = UINavigationController(rootViewController: root)
        #expect(root.presentingViewController == nil && root.presentedViewController == nil)
        page.present(stack, animated: true)
        stack.present(sheet, animated: true)
        #expect(root.presentingViewController === page && root.presentedViewController === sheet)
        root.presentingViewController?.dismiss(animated: true)
        #expect(root.presentingViewController == nil && root.presentedViewController == nil)
        #expect(root.heard.all.last == "viewDidDisappear")
    }

    /// Apps look for the visible view controller from the window's root.
    @Test func `the outermost container presents what a contained controller presents`() {
        let (page, sheet) = (Page(), Page())
        let stack = UINavigationController(rootViewController: page)
        let tabs = UITabBarController()
        tabs.viewControllers = [stack]
        page.present(sheet, animated: true)
        #expect(tabs.presentedViewController === sheet && sheet.presentingViewController === tabs)
        #expect(page.presentedViewController === sheet && stack.visibleViewController === sheet)
        page.dismiss(animated: true)
        #expect(tabs.presentedViewController == nil && page.presentedViewController == nil)
        #expect(sheet.heard.all.last == "viewDidDisappear")
    }

    @Test func `the last view controller of a visible stack appears`() {
        let (first, second) = (Page(), Page())
        let stack = UINavigationController(rootViewController: first)
        let window = UIWindow(frame: UIScreen.main.coordinateSpace.bounds)
        window.rootViewController = stack
        #expect(first.heard.all.isEmpty)
        window.makeKeyAndVisible()
        #expect(first.heard.all.last == "viewDidAppear")
        #expect(first.navigationController === stack && first.tabBarController == nil)
        stack.pushViewController(second, animated: true)
        #expect(first.heard.all.last == "viewDidDisappear")
        #expect(second.heard.all.last == "viewDidAppear")
        #expect(stack.topViewController === second && stack.viewControllers == [first, second])
        #expect(stack.popViewController(animated: true) === second)
        #expect(second.heard.all.last == "viewDidDisappear")
        #expect(second.navigationController == nil)
        #expect(first.heard.all.last == "viewDidAppear")
        #expect(stack.popViewController(animated: true) == nil)
        stack.viewControllers = [first, Page(), second]
        #expect(stack.popToRootViewController(animated: false)?.last === second)
        #expect(stack.popToViewController(second, animated: false) == nil)
        window.isHidden = true
        #expect(first.heard.all.last == "viewDidDisappear")
    }

    /// The first page of an app often sends a user who has not logged in to another page.
    @Test(arguments: [
        (true, ["viewDidLoad"]), (false, ["viewDidLoad", "viewWillAppear", "viewDidDisappear"]),
    ])
    func `a view controller that is covered before it appears gets no viewDidAppear`(
        onLoad: Bool, heard: [String]
    ) {
        let (page, next) = (Redirecting(), Page())
        let stack = UINavigationController(rootViewController: page)
        let redirect: () -> Void = { [weak stack] in
            stack?.pushViewController(next, animated: false)
        }
        if onLoad { page.loaded = redirect } else { page.willAppear = redirect }
        let window = UIWindow(frame: .zero)
        window.rootViewController = stack
        window.makeKeyAndVisible()
        #expect(page.heard.all == heard)
        #expect(next.heard.all == ["viewDidLoad", "viewWillAppear", "viewDidAppear"])
        window.isHidden = true
        #expect(page.heard.all == heard)
    }

    @Test(arguments: [
        (true, ["viewDidLoad"]), (false, ["viewDidLoad", "viewWillAppear", "viewDidDisappear"]),
    ])
    func `a view controller shown again before it has appeared gets one viewDidAppear`(
        onLoad: Bool, heard: [String]
    ) {
        let page = Redirecting()
        let stack = UINavigationController(rootViewController: page)
        let detour: () -> Void = { [weak stack, weak page] in
            page?.willAppear = nil
            stack?.pushViewController(Page(), animated: false)
            stack?.popViewController(animated: false)
        }
        if onLoad { page.loaded = detour } else { page.willAppear = detour }
        let window = UIWindow(frame: .zero)
        window.rootViewController = stack
        window.makeKeyAndVisible()
        #expect(page.heard.all == heard + ["viewWillAppear", "viewDidAppear"])
        window.isHidden = true
    }

    @Test func `the selected view controller of visible tabs appears`() {
        let (first, second) = (Page(), Page())
        let tabs = UITabBarController()
        #expect(tabs.viewControllers == nil && tabs.selectedViewController == nil)
        tabs.viewControllers = [first, UINavigationController(rootViewController: second)]
        let window = UIWindow(frame: .zero)
        window.rootViewController = tabs
        window.makeKeyAndVisible()
        #expect(first.heard.all.last == "viewDidAppear" && second.heard.all.isEmpty)
        tabs.selectedIndex = 1
        #expect(first.heard.all.last == "viewDidDisappear")
        #expect(second.heard.all.last == "viewDidAppear")
        #expect(second.tabBarController === tabs)
        tabs.selectedIndex = 2
        tabs.selectedViewController = second
        #expect(tabs.selectedIndex == 1)
        tabs.viewControllers = tabs.viewControllers?.reversed()
        #expect(tabs.selectedIndex == 0 && tabs.selectedViewController === second.parent)
        #expect(second.heard.all.last == "viewDidAppear")
        window.isHidden = true
    }

    @Test func `a view has the tint of the view around it`() {
        let (outer, inner) = (UIView(), UIView())
        outer.addSubview(inner)
        #expect(inner.tintColor === UIColor.systemBlue)
        outer.tintColor = .red
        #expect(inner.tintColor === UIColor.red)
        inner.tintColor = .green
        outer.tintColor = nil
        #expect(inner.tintColor === UIColor.green && outer.tintColor === UIColor.systemBlue)
    }

    /// Apps fill a field with an optional text, and force-unwrap the field's text afterwards.
    @Test func `a text field without a text has the empty text`() {
        let field = UITextField(frame: .zero)
        field.text = "old"
        field.text = nil
        #expect(field.text == "" && !field.hasText)
    }

    @Test func `a controller loads its own view once, and a view lists its subviews`() {
        let controller = OwnView(text: "own")
        #expect(controller.viewIfLoaded == nil)
        let view = controller.view
        #expect(view is UIImageView && controller.view === view)
        let (outer, inner) = (UIView(), UIView())
        outer.addSubview(inner)
        #expect(outer.subviews == [inner] && inner.superview === outer)
        inner.removeFromSuperview()
        #expect(outer.subviews.isEmpty && inner.superview == nil)
    }

    @Test func `an image keeps its file's bytes and reads its size from them`() throws {
        let file = NSTemporaryDirectory() + UUID().uuidString + ".png"
        let png = Data(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
                + [0, 0, 1, 2, 0, 0, 0, 3])
        try png.write(to: URL(fileURLWithPath: file))
        let image = try #require(UIImage(contentsOfFile: file))
        try FileManager.default.removeItem(atPath: file)
        #expect(image.size == CGSize(width: 258, height: 3))
        #expect(image.pngData() == png && image.jpegData(compressionQuality: 1) == nil)
        #expect(UIImageView(image: image).frame.size == image.size)
        #expect(UIImage(contentsOfFile: file) == nil && UIImage(data: Data()) == nil)
        #expect(UIImage(named: "no-such-image") == nil)
    }
}
