/// A line of text in an alert; no other text field is drawn.
///
/// Apple: https://developer.apple.com/documentation/uikit/uitextfield
@preconcurrency @MainActor
open class UITextField: UIControl {
    /// The text, which is never nil: nil becomes the empty text, as on Apple's platforms.
    open var text: String? = "" {
        didSet { if text == nil { text = "" } }
    }
    /// The hint that says what to type, shown in the empty field.
    open var placeholder: String?
    /// Whether the text is hidden as it is typed.
    open var isSecureTextEntry = false
    /// The kind of keyboard; stored without effect.
    open var keyboardType = UIKeyboardType.default

    /// Whether the text is not empty.
    open var hasText: Bool { !(text ?? "").isEmpty }
}

/// The kind of keyboard for a text; the desktop's keyboard has no kinds.
///
/// Apple: https://developer.apple.com/documentation/uikit/uikeyboardtype
public enum UIKeyboardType: Int, Sendable {
    /// The kinds, in Apple's order.
    case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad
    /// More kinds.
    case emailAddress, decimalPad, twitter, webSearch, asciiCapableNumberPad
}
