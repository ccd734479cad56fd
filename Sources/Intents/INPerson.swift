/// A person who sends or receives messages, or calls.
open class INPerson: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable: a person never changes.
    /// The address; nil if it is unknown.
    open private(set) var personHandle: INPersonHandle?
    /// The parts of the name; nil if they are unknown.
    open private(set) var nameComponents: PersonNameComponents?
    /// The name to display: the name that the app gave, the parts of the name, or the address.
    open private(set) var displayName: String
    /// The image, which is stored, but not shown; nil if the app gave none.
    open private(set) var image: INImage?
    /// The identifier in the address book; nil if it is unknown.
    open private(set) var contactIdentifier: String?
    /// The app's own identifier; nil if the app gave none.
    open private(set) var customIdentifier: String?
    /// Whether this is the user, as the app says; false by default.
    ///
    /// On Linux the value has no effect: a message of the user is shown as any other message.
    ///
    /// Apple: https://developer.apple.com/documentation/intents/inperson/isme
    open private(set) var isMe: Bool
    /// The kind of contact that the app proposes; without effect on Linux.
    ///
    /// Apple: https://developer.apple.com/documentation/intents/inperson/suggestiontype
    open private(set) var suggestionType = INPersonSuggestionType.none

    /// Makes a person who is not the user.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: image, contactIdentifier: contactIdentifier, customIdentifier: customIdentifier,
            isMe: false)
    }

    /// Makes a person who may be the user.
    public init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool
    ) {
        let name = [nameComponents?.givenName, nameComponents?.familyName]
            .compactMap { $0 }.joined(separator: " ")
        self.personHandle = personHandle
        self.nameComponents = nameComponents
        self.displayName = displayName ?? (name.isEmpty ? personHandle.value ?? "" : name)
        self.image = image
        self.contactIdentifier = contactIdentifier
        self.customIdentifier = customIdentifier
        self.isMe = isMe
    }

    /// Makes a person who may be the user, with the kind of contact to propose.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: image, contactIdentifier: contactIdentifier, customIdentifier: customIdentifier,
            isMe: isMe)
        self.suggestionType = suggestionType
    }

    /// Returns this person, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object has the same name, address and custom identifier.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPerson else { return false }
        return other.displayName == displayName && other.personHandle == personHandle
            && other.customIdentifier == customIdentifier
    }

    /// A hash of the name.
    open override var hash: Int { displayName.hashValue }

    /// A person can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a person from an archive.
    public required init?(coder: NSCoder) {
        personHandle = coder.object(INPersonHandle.self, "personHandle")
        nameComponents = nil
        displayName = coder.text("displayName") ?? ""
        image = coder.object(INImage.self, "image")
        contactIdentifier = coder.text("contactIdentifier")
        customIdentifier = coder.text("customIdentifier")
        isMe = coder.decodeBool(forKey: "isMe")
        let type = coder.decodeInteger(forKey: "suggestionType")
        suggestionType = INPersonSuggestionType(rawValue: type) ?? INPersonSuggestionType.none
    }

    /// Writes the values into an archive, without the parts of the name.
    open func encode(with coder: NSCoder) {
        coder.encode(personHandle, forKey: "personHandle")
        coder.encode(displayName as NSString, forKey: "displayName")
        coder.encode(image, forKey: "image")
        coder.encode(contactIdentifier as NSString?, forKey: "contactIdentifier")
        coder.encode(customIdentifier as NSString?, forKey: "customIdentifier")
        coder.encode(isMe, forKey: "isMe")
        coder.encode(suggestionType.rawValue, forKey: "suggestionType")
    }
}

/// The kind of contact that Apple's system suggests for a person.
@nonexhaustive(warn)
public enum INPersonSuggestionType: Int, Sendable {
    /// No contact.
    case none = 0
    /// An account of a social network.
    case socialProfile = 1
    /// An address for instant messages.
    case instantMessageAddress = 2
}
