/// A response by which a person sent text.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
    /// What the person wrote; may be empty.
    open var userText: String { storedText }

    /// The class, the address and the values.
    open override var description: String {
        describe([
            ("actionIdentifier", actionIdentifier), ("userText", userText),
            ("notification", notification),
        ])
    }
}
