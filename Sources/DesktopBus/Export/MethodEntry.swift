/// One method of an interface.
public struct MethodEntry: Sendable {
    /// What does a method's work.
    ///
    /// It begins on the reactor's thread, in the order of the calls,
    /// and must not block there; what it throws is the answer: a `BusError` that has a
    /// `remoteName` keeps it, anything else becomes `org.freedesktop.DBus.Error.Failed`.
    public typealias Handler =
        nonisolated(nonsending) @Sendable (MethodInvocation) async throws -> [BusValue]

    /// The method.
    public let name: MemberName
    /// What it takes; a call with other types never reaches the handler.
    public let `in`: [ArgumentEntry]
    /// What it answers; other types from the handler are answered with an error.
    public let out: [ArgumentEntry]
    /// What does the work.
    public let handler: Handler

    let inSignature: String
    let outSignature: Signature

    /// Makes an entry.
    public init(
        _ name: MemberName, in arguments: [ArgumentEntry] = [], out results: [ArgumentEntry] = [],
        handler: @escaping Handler
    ) {
        self.name = name
        self.in = arguments
        self.out = results
        self.handler = handler
        inSignature = arguments.map(\.signature.rawValue).joined()
        outSignature = Signature(trusted: results.map(\.signature.rawValue).joined())
    }
}
