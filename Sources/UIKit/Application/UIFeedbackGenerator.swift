/// Feedback that the user feels; without effect, as on a device that cannot vibrate.
///
/// Apple: https://developer.apple.com/documentation/uikit/uifeedbackgenerator
@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
    /// Prepares the next feedback; without effect.
    open func prepare() {}
}

/// Feedback about the end of a task; without effect.
///
/// Apple: https://developer.apple.com/documentation/uikit/uinotificationfeedbackgenerator
@preconcurrency @MainActor
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// How a task ended.
    public enum FeedbackType: Int, Sendable {
        /// The task has succeeded.
        case success
        /// The task has succeeded, with a warning.
        case warning
        /// The task has failed.
        case error
    }

    /// Gives feedback about the end of a task; without effect.
    open func notificationOccurred(_ notificationType: FeedbackType) {}
}

/// Feedback about a collision; without effect.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiimpactfeedbackgenerator
@preconcurrency @MainActor
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// The weight of the colliding objects.
    public enum FeedbackStyle: Int, Sendable {
        /// Small or light objects.
        case light
        /// Objects of medium size.
        case medium
        /// Large or heavy objects.
        case heavy
        /// Soft objects.
        case soft
        /// Rigid objects.
        case rigid
    }

    /// Makes a generator for collisions of this weight.
    public init(style: FeedbackStyle) {
        super.init()
    }

    /// Makes a generator for collisions of medium weight.
    public override convenience init() {
        self.init(style: .medium)
    }

    /// Gives feedback about a collision; without effect.
    open func impactOccurred() {}
    /// Gives feedback of an intensity from 0 to 1; without effect.
    open func impactOccurred(intensity: CGFloat) {}
}

/// Feedback about a change of a selection; without effect.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiselectionfeedbackgenerator
@preconcurrency @MainActor
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Gives feedback about a change; without effect.
    open func selectionChanged() {}
}
