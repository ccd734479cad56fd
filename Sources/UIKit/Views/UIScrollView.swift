/// A view that scrolls its content; no view is drawn, so only the app scrolls.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiscrollview
@preconcurrency @MainActor
open class UIScrollView: UIView {
    /// When the insets follow the bars around the view.
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        /// According to the view's place.
        case automatic
        /// Only along the axes that scroll.
        case scrollableAxes
        /// Not at all.
        case never
        /// In every direction.
        case always
    }

    /// When the insets follow the bars around the view; stored without effect.
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
    /// The size of the content.
    open var contentSize = CGSize.zero
    /// The point of the content at the view's corner.
    open var contentOffset = CGPoint.zero
}

/// Recognizes a gesture; Linux reports no touches, so the state stays `.possible`.
///
/// Apple: https://developer.apple.com/documentation/uikit/uigesturerecognizer
@preconcurrency @MainActor
open class UIGestureRecognizer: NSObject {
    /// The progress of a gesture.
    public enum State: Int, Sendable {
        /// Not recognized yet.
        case possible
        /// Recognized.
        case began
        /// The gesture continues.
        case changed
        /// The gesture has ended.
        case ended
        /// Given up.
        case cancelled
        /// The touches were another gesture.
        case failed
        /// Recognized; another name of `ended`.
        public static let recognized = State.ended
    }

    /// The progress of the gesture.
    open var state = State.possible
    /// Whether the gesture is recognized at all.
    open var isEnabled = true
}

/// Light or dark colours; the app does not know which of them the desktop has.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiuserinterfacestyle
public enum UIUserInterfaceStyle: Int, Sendable {
    /// Unknown.
    case unspecified
    /// Light colours.
    case light
    /// Dark colours.
    case dark
}
