import Foundation
import TestSupport
import Testing
import UIKit

/// The columns of a split view, which are always side by side.
@MainActor
@Suite struct SplitViewTests {
    private final class Page: UIViewController {
        let heard = Recording<String>()

        override func viewDidAppear(_ animated: Bool) { heard.append("viewDidAppear") }
        override func viewDidDisappear(_ animated: Bool) { heard.append("viewDidDisappear") }
    }

    @Test func `every column of a visible split view appears`() {
        let (list, detail) = (Page(), Page())
        let split = UISplitViewController(style: .doubleColumn)
        split.setViewController(list, for: .primary)
        let window = UIWindow(frame: .zero)
        window.rootViewController = split
        window.makeKeyAndVisible()
        split.setViewController(detail, for: .secondary)
        #expect([list, detail].allSatisfy { $0.heard.all.last == "viewDidAppear" })
        split.setViewController(nil, for: .secondary)
        #expect(detail.heard.all.last == "viewDidDisappear" && detail.parent == nil)
        window.isHidden = true
    }

    /// A split view must not lose its list when the app changes the details.
    @Test(arguments: [UISplitViewController.Style.doubleColumn, .tripleColumn])
    func `the list of view controllers fills the columns, and the columns fill the list`(
        style: UISplitViewController.Style
    ) {
        let columns: [UISplitViewController.Column] =
            style == .tripleColumn
            ? [.primary, .supplementary, .secondary] : [.primary, .secondary]
        let pages: [UIViewController] = columns.map { _ in Page() }
        let split = UISplitViewController(style: style)
        split.viewControllers = pages + [Page()]
        #expect(split.viewControllers == pages, "the added page has no column, so it is dropped")
        #expect(columns.compactMap { split.viewController(for: $0) } == pages)
        let detail = Page()
        split.setViewController(detail, for: .secondary)
        let changed: [UIViewController] = pages.dropLast() + [detail]
        #expect(split.viewControllers == changed)
        #expect(detail.parent === split && pages.last?.parent == nil)
        split.viewControllers = [detail]
        #expect(split.viewControllers == [detail])
        #expect(split.viewController(for: .primary) === detail)
    }

    /// Apps give a tab bar for narrow screens beside the columns for wide ones.
    @Test func `the view controller for narrow screens is kept, and never appears`() {
        let (list, detail, tabs) = (Page(), Page(), Page())
        let split = UISplitViewController(style: .doubleColumn)
        let window = UIWindow(frame: .zero)
        window.rootViewController = split
        window.makeKeyAndVisible()
        split.setViewController(tabs, for: .compact)
        split.viewControllers = [list, detail]
        #expect(split.viewController(for: .compact) === tabs && tabs.heard.all.isEmpty)
        #expect(split.viewControllers == [list, detail])
        #expect([list, detail].allSatisfy { $0.heard.all == ["viewDidAppear"] })
        window.isHidden = true
        #expect(tabs.heard.all.isEmpty && !tabs.isViewLoaded)
    }
}
