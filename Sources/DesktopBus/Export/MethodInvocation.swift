/// One call of an exported method; its arguments were checked against the method's table entry.
public struct MethodInvocation: Sendable {
    /// The caller: a unique name.
    public let sender: BusName
    /// The method.
    public let member: MemberName
    /// The arguments; their number and types are the ones in the table entry.
    public let arguments: [BusValue]

    /// Makes an invocation.
    public init(sender: BusName, member: MemberName, arguments: [BusValue]) {
        self.sender = sender
        self.member = member
        self.arguments = arguments
    }
}
