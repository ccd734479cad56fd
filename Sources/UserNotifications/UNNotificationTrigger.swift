/// What makes a notification fire; make one of its subclasses.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Whether the request stays pending after it fired.
    open var repeats: Bool { storedRepeats }

    private let storedRepeats: Bool

    init(repeats: Bool) {
        storedRepeats = repeats
    }

    /// The trigger itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is a trigger with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationTrigger else { return false }
        return type(of: other) == type(of: self) && other.repeats == repeats
    }

    /// A hash of the values that equal triggers share.
    open override var hash: Int { repeats.hashValue }

    /// The class, the address and the values.
    open override var description: String { describe([("repeats", repeats)]) }

    /// A trigger can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a trigger from an archive.
    public required init?(coder: NSCoder) {
        storedRepeats = coder.number("repeats")?.boolValue ?? false
    }

    /// Writes the trigger into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(NSNumber(value: repeats), forKey: "repeats")
    }
}
