/// View controllers side by side; they are not drawn.
///
/// Apple: https://developer.apple.com/documentation/uikit/uisplitviewcontroller
@preconcurrency @MainActor
open class UISplitViewController: UIViewController {
    /// The number of columns.
    public enum Style: Int, Sendable {
        /// The older form without columns.
        case unspecified
        /// Two columns.
        case doubleColumn
        /// Three columns.
        case tripleColumn
    }

    /// A column.
    public enum Column: Int, Sendable {
        /// The first column.
        case primary
        /// The second of three columns.
        case supplementary
        /// The main column.
        case secondary
        /// The only column on a narrow screen; never visible on Linux.
        case compact
        /// The column with details; never visible on Linux.
        case inspector
    }

    /// The visible columns.
    public enum DisplayMode: Int, Sendable {
        /// As the screen allows.
        case automatic
        /// One column.
        case secondaryOnly
        /// Two columns, side by side.
        case oneBesideSecondary
        /// Two columns, one over the other.
        case oneOverSecondary
        /// Three columns, side by side.
        case twoBesideSecondary
        /// Three columns, two of which lie over the main column.
        case twoOverSecondary
        /// Three columns, two of which push the main column aside.
        case twoDisplaceSecondary
    }

    /// When the button that changes the display mode is visible.
    public enum DisplayModeButtonVisibility: Int, Sendable {
        /// As the style asks for.
        case automatic
        /// Never.
        case never
        /// Always.
        case always
    }

    /// The place of the first columns.
    public enum SplitBehavior: Int, Sendable {
        /// As the screen allows.
        case automatic
        /// Beside the main column.
        case tile
        /// Over the main column.
        case overlay
        /// In place of a part of the main column.
        case displace
    }

    /// The side of the first column.
    public enum PrimaryEdge: Int, Sendable {
        /// The side on which lines of text begin.
        case leading
        /// The side on which lines of text end.
        case trailing
    }

    /// The look of the first column.
    public enum BackgroundStyle: Int, Sendable {
        /// No special look.
        case none
        /// The look of a sidebar.
        case sidebar
    }

    /// Whether the columns have room beside each other.
    public enum LayoutEnvironment: Int, Sendable {
        /// Unknown.
        case none
        /// Side by side.
        case expanded
        /// One at a time.
        case collapsed
    }

    /// The number of columns.
    open private(set) var style = Style.unspecified
    /// The wanted display mode; stored without effect.
    open var preferredDisplayMode = DisplayMode.automatic
    /// The wanted place of the first columns; stored without effect.
    open var preferredSplitBehavior = SplitBehavior.automatic
    /// The view controllers in the primary, the supplementary and the secondary column.
    ///
    /// Only the style `.tripleColumn` has a supplementary column. A new value fills the columns in
    /// this order, and a view controller beyond the last column is left out. On Linux the columns
    /// are always side by side, so the list never has the view controller of the compact column.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uisplitviewcontroller/viewcontrollers
    open var viewControllers: [UIViewController] {
        get { Self.viewControllers(in: columns, of: style) }
        set {
            var filled = columns
            for (index, column) in Self.visibleColumns(of: style).enumerated() {
                filled[column] = newValue.indices.contains(index) ? newValue[index] : nil
            }
            columns = filled
        }
    }
    private var columns: [Column: UIViewController] = [:] {
        didSet {
            let former = Self.viewControllers(in: oldValue, of: style)
            replaceChildren(former, by: viewControllers)
            updateVisibleChildren(from: former, animated: false)
        }
    }

    private static func viewControllers(
        in columns: [Column: UIViewController], of style: Style
    ) -> [UIViewController] {
        visibleColumns(of: style).compactMap { columns[$0] }
    }

    private static func visibleColumns(of style: Style) -> [Column] {
        style == .tripleColumn ? [.primary, .supplementary, .secondary] : [.primary, .secondary]
    }

    /// Makes columns without view controllers.
    public convenience init(style: Style) {
        self.init(nibName: nil, bundle: nil)
        self.style = style
    }

    /// Puts a view controller into a column.
    ///
    /// Without a column of this kind, the view controller is kept and not shown. On Linux the split
    /// view controller makes no navigation controller around it.
    ///
    /// Apple: https://developer.apple.com/documentation/uikit/uisplitviewcontroller/setviewcontroller(_:for:)
    open func setViewController(_ controller: UIViewController?, for column: Column) {
        columns[column] = controller
    }

    /// The view controller in a column.
    open func viewController(for column: Column) -> UIViewController? { columns[column] }

    override var visibleChildren: [UIViewController] { viewControllers }
}
