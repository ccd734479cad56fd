/// A view that the user operates; it is not drawn, so only the app changes its state.
///
/// Apple: https://developer.apple.com/documentation/uikit/uicontrol
@preconcurrency @MainActor
open class UIControl: UIView {
    /// The states of a control; a control can have several of them.
    public struct State: OptionSet, Hashable, Sendable {
        /// Apple's bits.
        public let rawValue: UInt
        /// Makes a set.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Enabled, and neither pressed, chosen nor focused.
        public static let normal = State([])
        /// Pressed.
        public static let highlighted = Self(rawValue: 1)
        /// Disabled: the control receives no events.
        public static let disabled = Self(rawValue: 2)
        /// Chosen.
        public static let selected = Self(rawValue: 4)
        /// Focused: the control receives what the user types.
        public static let focused = Self(rawValue: 8)
        /// The bits of the app's own states.
        public static let application = Self(rawValue: 0x00FF_0000)
        /// The bits of the framework.
        public static let reserved = Self(rawValue: 0xFF00_0000)
    }

    /// Whether the control receives events.
    open var isEnabled = true
    /// Whether the control is chosen.
    open var isSelected = false
    /// Whether the control is pressed.
    open var isHighlighted = false

    /// The states of this control.
    open var state: State {
        var state = State.normal
        if isHighlighted { state.insert(.highlighted) }
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        return state
    }
}
