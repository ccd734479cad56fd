/// One argument of a method or signal.
public struct ArgumentEntry: Sendable, Hashable {
    /// The name, for human readers.
    public let name: String
    /// The type: one complete type.
    public let signature: Signature

    /// Makes an argument.
    public init(_ name: String, _ signature: Signature) {
        precondition(signature.isSingleType, "\(name): \"\(signature)\" is not one complete type")
        self.name = name
        self.signature = signature
    }
}
