/// One property of an interface.
public struct PropertyEntry: Sendable {
    /// Reads the property; like a method's handler, it begins on the reactor's thread.
    public typealias Getter = nonisolated(nonsending) @Sendable () async throws -> BusValue
    /// Writes the property, with a value of its type.
    public typealias Setter = nonisolated(nonsending) @Sendable (BusValue) async throws -> Void

    /// The property.
    public let name: MemberName
    /// The property's type: one complete type.
    public let signature: Signature
    /// Reads the property.
    public let get: Getter
    /// Writes the property; nil if the property is read-only.
    public let set: Setter?

    /// Makes an entry.
    public init(
        _ name: MemberName, _ signature: Signature, get: @escaping Getter, set: Setter? = nil
    ) {
        precondition(signature.isSingleType, "\(name): \"\(signature)\" is not one complete type")
        self.name = name
        self.signature = signature
        self.get = get
        self.set = set
    }
}
