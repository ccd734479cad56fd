/// A person who sends, receives or calls.
open class INPerson: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable: it never changes.
    /// How the person is reached, nil where it is not known.
    open var personHandle: INPersonHandle? { storedHandle }
    /// The parts of the name, nil where they are not known.
    open var nameComponents: PersonNameComponents? { storedComponents }
    /// The name that people read: the one given, or the one of the parts, or the address.
    open var displayName: String { storedName }
    /// The picture, nil for none; kept for the app.
    open var image: INImage? { storedImage }
    /// What the address book calls the person, nil where it is not known.
    open var contactIdentifier: String? { storedContact }
    /// What the app calls the person, nil where it has no name.
    open var customIdentifier: String? { storedCustom }

    private let storedHandle: INPersonHandle?
    private let storedComponents: PersonNameComponents?
    private let storedName: String
    private let storedImage: INImage?
    private let storedContact: String?
    private let storedCustom: String?

    /// Makes a person.
    public init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?
    ) {
        let name = [nameComponents?.givenName, nameComponents?.familyName]
            .compactMap { $0 }.joined(separator: " ")
        storedHandle = personHandle
        storedComponents = nameComponents
        storedName = displayName ?? (name.isEmpty ? personHandle.value ?? "" : name)
        storedImage = image
        storedContact = contactIdentifier
        storedCustom = customIdentifier
    }

    /// Makes a person; `isMe` has no effect here.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: image, contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
    }

    /// The person, who never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is the same person.
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
        storedHandle = coder.object(INPersonHandle.self, "personHandle")
        storedComponents = nil
        storedName = coder.text("displayName") ?? ""
        storedImage = coder.object(INImage.self, "image")
        storedContact = coder.text("contactIdentifier")
        storedCustom = coder.text("customIdentifier")
    }

    /// Writes the person into an archive, the parts of the name left out.
    open func encode(with coder: NSCoder) {
        coder.encode(personHandle, forKey: "personHandle")
        coder.encode(displayName as NSString, forKey: "displayName")
        coder.encode(image, forKey: "image")
        coder.encode(contactIdentifier as NSString?, forKey: "contactIdentifier")
        coder.encode(customIdentifier as NSString?, forKey: "customIdentifier")
    }
}
