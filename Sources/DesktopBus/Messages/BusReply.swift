/// The answer to a method call.
public struct BusReply: Sendable, Hashable {
    /// Who answered: a unique name, or the bus itself.
    public let sender: BusName?
    /// What was answered.
    public let arguments: [BusValue]

    /// The name that GetNameOwner answers.
    var owner: BusName? { arguments.first?.stringValue.map(BusName.init(trusted:)) }
}
