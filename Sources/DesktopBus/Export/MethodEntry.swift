/// One method of an interface.
public struct MethodEntry: Sendable {
    /// Does a method's work.
    ///
    /// The handler begins on the reactor's thread, and must not block that thread. If the method
    /// has an `approval`, its calls begin in the order in which their sender made them.
    ///
    /// A thrown error is the answer: a `BusError` with a `remoteName` keeps that name. The code
    /// `limitsExceeded` becomes `org.freedesktop.DBus.Error.LimitsExceeded`, and any other error
    /// becomes `org.freedesktop.DBus.Error.Failed`.
    public typealias Handler =
        nonisolated(nonsending) @Sendable (MethodInvocation) async throws -> [BusValue]

    /// Decides, before the arguments are read, whether the sender may call; it throws to refuse.
    ///
    /// It returns the app or process whose quota the call uses, or an empty text if the app or
    /// process is unknown.
    public typealias Admission =
        nonisolated(nonsending) @Sendable (_ sender: BusName, _ member: MemberName) async throws
        -> String

    /// Decides whether a call may be made; it throws to refuse the call.
    ///
    /// The decision may take time.
    public typealias Approval =
        nonisolated(nonsending) @Sendable (MethodInvocation) async throws -> Void

    /// The method.
    public let name: MemberName
    /// The types of the method's arguments; a call with other types never reaches the handler.
    public let `in`: [ArgumentEntry]
    /// The types of the method's results.
    ///
    /// If the handler returns other types, the caller gets an error.
    public let out: [ArgumentEntry]
    /// Whether a call of the method may wait for days, for example for the user.
    ///
    /// Such calls have a separate quota. If their caller leaves the bus, the calls are cancelled at
    /// once.
    public let isWait: Bool
    /// Decides whether a sender may call; nil if every sender may call.
    public let admission: Admission?
    /// Decides whether an admitted call may be made; nil if every admitted call may be made.
    public let approval: Approval?
    /// Does the work.
    public let handler: Handler

    let inSignature: String
    let outSignature: Signature

    /// Makes an entry.
    public init(
        _ name: MemberName, in arguments: [ArgumentEntry] = [], out results: [ArgumentEntry] = [],
        isWait: Bool = false, admission: Admission? = nil, approval: Approval? = nil,
        handler: @escaping Handler
    ) {
        self.name = name
        self.in = arguments
        self.out = results
        self.isWait = isWait
        self.admission = admission
        self.approval = approval
        self.handler = handler
        inSignature = arguments.map(\.signature.rawValue).joined()
        outSignature = Signature(trusted: results.map(\.signature.rawValue).joined())
    }
}
