/// The user's intention; an app creates an instance of a subclass.
open class INIntent: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable: only the metadata changes, before the app passes the intent on.
    /// The identifier, unique for this intent.
    open private(set) var identifier: String?
    /// Details for a donation; stored without effect, and not archived.
    open var donationMetadata: INIntentDonationMetadata?

    override init() {
        identifier = UUID().uuidString
    }

    /// Returns this intent.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// An intent can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an intent from an archive.
    public required init?(coder: NSCoder) {
        identifier = coder.text("identifier") ?? UUID().uuidString
    }

    /// Writes the intent into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString?, forKey: "identifier")
    }
}

/// Details of a donated intent; an app creates an instance of a subclass.
open class INIntentDonationMetadata: NSObject {
    override init() {}
}
