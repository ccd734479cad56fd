/// The superclass of applications, their delegates, views and view controllers.
///
/// On Linux no events travel along the responders, because no views are drawn.
///
/// Apple: https://developer.apple.com/documentation/uikit/uiresponder
@preconcurrency @MainActor
open class UIResponder: NSObject {
    /// Makes a responder.
    public override init() {
        super.init()
    }

    /// Makes an object of a class that is known only at run time; the archive is not read.
    ///
    /// `@main` makes the delegate with this initialiser. A subclass that inherits `init()` inherits
    /// this initialiser, too.
    public required convenience init?(coder: NSCoder) {
        self.init()
    }

    /// The next responder for an event that this responder does not handle; nil by default.
    open var next: UIResponder? { nil }

    /// Whether this object receives events first; false, because there are no events.
    open var isFirstResponder: Bool { false }

    /// Asks to receive events first; refused, because there are no events.
    @discardableResult
    open func becomeFirstResponder() -> Bool { false }

    /// Stops receiving events first.
    @discardableResult
    open func resignFirstResponder() -> Bool { true }
}

/// An empty archive in place of a storyboard's archive, because Linux has no storyboards.
final class EmptyCoder: NSCoder {}
