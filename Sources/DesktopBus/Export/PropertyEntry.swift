/// One property of an interface.
public struct PropertyEntry: Sendable {
    /// Reads the property; like a method's handler, it begins on the reactor's thread.
    public typealias Getter = nonisolated(nonsending) @Sendable () async throws -> BusValue
    /// Writes the property, with a value of its type.
    public typealias Setter = nonisolated(nonsending) @Sendable (BusValue) async throws -> Void

    /// How the property reports a change, by the values of EmitsChangedSignal.
    ///
    /// Source: D-Bus specification, "Introspection Data Format".
    public enum ChangeReport: String, Sendable {
        /// PropertiesChanged carries the new value.
        case signal = "true"
        /// No signal reports a change, so clients must not cache the value.
        case none = "false"
        /// The value never changes.
        case constant = "const"
    }

    /// The property.
    public let name: MemberName
    /// The property's type: one complete type.
    public let signature: Signature
    /// How the property reports a change.
    public let changeReport: ChangeReport
    /// Reads the property.
    public let get: Getter
    /// Writes the property; nil if the property is read-only.
    public let set: Setter?

    /// Makes an entry.
    public init(
        _ name: MemberName, _ signature: Signature, changeReport: ChangeReport = .signal,
        get: @escaping Getter, set: Setter? = nil
    ) {
        precondition(signature.isSingleType, "\(name): \"\(signature)\" is not one complete type")
        self.name = name
        self.signature = signature
        self.changeReport = changeReport
        self.get = get
        self.set = set
    }
}
