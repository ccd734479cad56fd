/// One call of an exported method, its arguments checked against the table.
public struct MethodInvocation: Sendable {
    /// The caller: a unique name.
    public let sender: BusName
    /// The method.
    public let member: MemberName
    /// The arguments, in number and types as the table says.
    public let arguments: [BusValue]

    /// Makes an invocation.
    public init(sender: BusName, member: MemberName, arguments: [BusValue]) {
        self.sender = sender
        self.member = member
        self.arguments = arguments
    }
}
