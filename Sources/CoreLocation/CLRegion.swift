/// An area that a device may enter and leave; the only subclass is ``CLCircularRegion``.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable: only one thread changes a region, because each object that stores a
    // region makes its own copy.
    /// The region's name; a location manager watches one region per name.
    open private(set) var identifier: String
    /// Whether a crossing into the region is reported.
    open var notifyOnEntry = true
    /// Whether a crossing out of the region is reported.
    open var notifyOnExit = true

    init(identifier: String) {
        self.identifier = identifier
    }

    /// A copy with equal values, independent of this region.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLRegion(identifier: identifier)
        copy.takeFlags(of: self)
        return copy
    }

    /// Whether the object is a region of the same name.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLRegion)?.identifier == identifier
    }

    /// A hash of the name.
    open override var hash: Int { identifier.hashValue }

    /// The class and the name.
    open override var description: String { "\(type(of: self)) (identifier:'\(identifier)')" }

    func takeFlags(of region: CLRegion) {
        notifyOnEntry = region.notifyOnEntry
        notifyOnExit = region.notifyOnExit
    }

    /// A region can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a region from an archive.
    public required init?(coder: NSCoder) {
        let name =
            coder.requiresSecureCoding
            ? coder.decodeObject(of: NSString.self, forKey: "identifier") as String?
            : coder.decodeObject(forKey: "identifier") as? String
        guard let name else { return nil }
        identifier = name
        notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
        notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
    }

    /// Writes the region into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
        coder.encode(notifyOnExit, forKey: "notifyOnExit")
    }
}
