internal import NotificationModel
package import NotificationRuntime

/// A button of an alert.
///
/// Apple: https://developer.apple.com/documentation/uikit/uialertaction
@preconcurrency @MainActor
open class UIAlertAction: NSObject {
    /// The purpose of a button.
    public enum Style: Int, Sendable {
        /// Any button.
        case `default`
        /// The button that changes nothing; closing the dialog chooses this button.
        case cancel
        /// A button that deletes something; drawn like any other button.
        case destructive
    }

    /// The label.
    public let title: String?
    /// The purpose.
    public let style: Style
    /// Whether the button can be pressed; a disabled button is left out of the dialog.
    open var isEnabled = true
    let handler: (@MainActor (UIAlertAction) -> Void)?

    /// Makes a button; when the user presses the button, the handler is called on the main actor.
    public init(
        title: String?, style: Style, handler: (@MainActor (UIAlertAction) -> Void)? = nil
    ) {
        self.title = title
        self.style = style
        self.handler = handler
        super.init()
    }
}

/// An alert with buttons.
///
/// On Linux, zenity or kdialog shows the alert as a dialog; each text field has its own window. If
/// neither program is installed, the alert is a popup with the alert's actions as buttons. The
/// popup can have one text field, if the notification server takes replies.
///
/// If the user closes the dialog or the popup, the button with the style `.cancel` is chosen. If
/// nothing can show the alert, a line on standard error says what to install. The alert is then
/// dismissed, and no handler is called.
///
/// Apple: https://developer.apple.com/documentation/uikit/uialertcontroller
@preconcurrency @MainActor
open class UIAlertController: UIViewController {
    /// The kind of alert; both kinds become the same dialog.
    public enum Style: Int, Sendable {
        /// A list of buttons.
        case actionSheet
        /// A separate window.
        case alert
    }

    /// The text below the title.
    open var message: String?
    /// The kind of alert.
    open private(set) var preferredStyle = Style.alert
    /// The buttons, in the order in which they were added.
    open private(set) var actions: [UIAlertAction] = []
    /// The text fields, in the order in which they were added; nil if there are none.
    open private(set) var textFields: [UITextField]?
    /// The button that Return presses; stored without effect.
    open var preferredAction: UIAlertAction?
    /// The desktop that shows the dialog; tests set another desktop.
    package lazy var desktop = UIApplication.shared.surroundings.desktop
    /// Tells tests that a dialog has ended or failed; not called if the app dismissed the alert.
    package var dialogEnded: () -> Void = {}
    private var dialog: Task<Void, Never>?

    /// Makes an alert without buttons.
    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }

    /// Adds a button.
    open func addAction(_ action: UIAlertAction) {
        actions.append(action)
    }

    /// Adds a text field, which the handler configures.
    ///
    /// When the handler of a button is called, the field's `text` is what the user typed. A secret
    /// field is shown empty, and keeps its text if the user types nothing.
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        let field = UITextField(frame: .zero)
        textFields = (textFields ?? []) + [field]
        configurationHandler?(field)
    }

    /// The enabled buttons; a button that cancels is last.
    var buttons: [UIAlertAction] {
        let enabled = actions.filter(\.isEnabled)
        return enabled.filter { $0.style != .cancel } + enabled.filter { $0.style == .cancel }
    }

    override func appear(animated: Bool) {
        super.appear(animated: animated)
        guard dialog == nil else { return }
        dialog = Task { await showDialog() }
    }

    override func disappear(animated: Bool) {
        super.disappear(animated: animated)
        dialog?.cancel()
        dialog = nil
    }

    private func alertDialog(_ buttons: [UIAlertAction]) -> AlertDialog {
        AlertDialog(
            title: title ?? "", text: message ?? "",
            buttons: buttons.isEmpty ? ["OK"] : buttons.map { $0.title ?? "OK" },
            hasCancelButton: buttons.last?.style == .cancel,
            fields: (textFields ?? []).map {
                AlertDialog.Field(
                    placeholder: $0.placeholder ?? "", text: $0.text ?? "",
                    isSecret: $0.isSecureTextEntry)
            })
    }

    /// Gives the fields the typed texts.
    ///
    /// A secret field is shown empty, and keeps its text if the user types nothing.
    private func keepTexts(_ texts: [String]) {
        for (field, text) in zip(textFields ?? [], texts)
        where !(field.isSecureTextEntry && text.isEmpty) {
            field.text = text
        }
    }

    private func showDialog() async {
        let buttons = buttons
        let chosen: UIAlertAction?
        do throws(NotificationError) {
            let answer = try await desktop.answer(to: alertDialog(buttons))
            if !Task.isCancelled { keepTexts(answer.texts) }
            chosen =
                answer.button.flatMap { buttons.indices.contains($0) ? buttons[$0] : nil }
                ?? buttons.first { $0.style == .cancel }
        } catch {
            UIApplication.logMessage(
                "The alert \((title ?? message ?? "").quotedForMessage()) is not shown. "
                    + error.message)
            chosen = nil
        }
        // If the app has dismissed the alert, no handler is called.
        guard !Task.isCancelled else { return }
        dialog = nil
        presentingViewController?.dismiss(animated: false)
        if let chosen { chosen.handler?(chosen) }
        dialogEnded()
    }
}
