/// A view; it is not drawn, but code that sets its properties compiles and runs.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiview
@preconcurrency @MainActor
open class UIView: UIResponder, UICoordinateSpace {
    /// The view's place in its superview.
    open var frame: CGRect
    /// Whether the view is hidden.
    open var isHidden = false
    /// The opacity, from 0 to 1.
    open var alpha: CGFloat = 1
    /// The colour of the background.
    open var backgroundColor: UIColor?
    // Implicitly unwrapped, as Apple declares it: code may use the colour directly, or set nil.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The colour of buttons and other controls in the view.
    ///
    /// If the app has set no colour, the view has its superview's colour.
    open var tintColor: UIColor! {
        get { ownTintColor ?? superview?.tintColor ?? .systemBlue }
        set { ownTintColor = newValue }
    }
    private var ownTintColor: UIColor?
    /// The number by which the app finds the view.
    open var tag = 0
    /// Whether the view receives events.
    open var isUserInteractionEnabled = true
    /// The views in this view; the last one is in front.
    open private(set) var subviews: [UIView] = []
    /// The view that contains this view.
    open private(set) weak var superview: UIView?

    /// Makes a view with a place.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// Makes a view without a size.
    public override convenience init() {
        self.init(frame: .zero)
    }

    /// Makes a view; the archive is not read.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init()
    }

    /// The view's place in the view's own coordinates.
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    /// The window that contains the view.
    open var window: UIWindow? { self as? UIWindow ?? superview?.window }

    /// The next responder: the superview.
    open override var next: UIResponder? { superview }

    /// Adds a view to this view, in front of its other subviews.
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    /// Removes this view from its superview.
    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }
}

/// A colour.
///
/// Apple: https://developer.apple.com/documentation/uikit/uicolor
@preconcurrency @MainActor
open class UIColor: NSObject {
    /// Red, green, blue and opacity, from 0 to 1.
    let components: [CGFloat]

    /// Makes a colour; each part is from 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        components = [red, green, blue, alpha]
        super.init()
    }

    /// Makes a grey.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Black.
    public static let black = UIColor(white: 0, alpha: 1)
    /// White.
    public static let white = UIColor(white: 1, alpha: 1)
    /// A middle grey.
    public static let gray = UIColor(white: 0.5, alpha: 1)
    /// A light grey.
    public static let lightGray = UIColor(white: 2.0 / 3, alpha: 1)
    /// A dark grey.
    public static let darkGray = UIColor(white: 1.0 / 3, alpha: 1)
    /// Nothing at all.
    public static let clear = UIColor(white: 0, alpha: 0)
    /// Red.
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    /// Green.
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    /// Blue.
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    /// Yellow.
    public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
    /// Orange.
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    /// The blue of the system's controls.
    public static let systemBlue = UIColor(red: 0, green: 122.0 / 255, blue: 1, alpha: 1)
    /// The colour behind the views of the system.
    public static let systemBackground = UIColor(white: 1, alpha: 1)
}
