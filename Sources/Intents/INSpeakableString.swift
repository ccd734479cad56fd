/// A text that can be spoken, such as the name of a group.
open class INSpeakableString: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable: a text never changes.
    /// The text.
    open private(set) var spokenPhrase: String
    /// The app's name for the text; nil if the app gave none.
    open private(set) var vocabularyIdentifier: String?
    /// The pronunciation of the text; nil if the text is read as written.
    open private(set) var pronunciationHint: String?

    /// Makes a text, with the app's name for the text.
    public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        self.spokenPhrase = spokenPhrase
        self.vocabularyIdentifier = vocabularyIdentifier
        self.pronunciationHint = pronunciationHint
    }

    /// Makes a text.
    public init(spokenPhrase: String) {
        self.spokenPhrase = spokenPhrase
        vocabularyIdentifier = nil
        pronunciationHint = nil
    }

    /// Returns this text, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is an equal text.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INSpeakableString else { return false }
        return other.spokenPhrase == spokenPhrase
            && other.vocabularyIdentifier == vocabularyIdentifier
    }

    /// A hash of the text.
    open override var hash: Int { spokenPhrase.hashValue }

    /// A text can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a text from an archive.
    public required init?(coder: NSCoder) {
        guard let phrase = coder.text("spokenPhrase") else { return nil }
        spokenPhrase = phrase
        vocabularyIdentifier = coder.text("vocabularyIdentifier")
        pronunciationHint = coder.text("pronunciationHint")
    }

    /// Writes the text into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(spokenPhrase as NSString, forKey: "spokenPhrase")
        coder.encode(vocabularyIdentifier as NSString?, forKey: "vocabularyIdentifier")
        coder.encode(pronunciationHint as NSString?, forKey: "pronunciationHint")
    }
}
