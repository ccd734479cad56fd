/// The answer to a method call.
public struct BusReply: Sendable, Hashable {
    /// The sender of the answer: a unique name, or the bus itself.
    public let sender: BusName?
    /// The arguments of the answer.
    public let arguments: [BusValue]

    /// The owner in an answer to GetNameOwner.
    var owner: BusName? { arguments.first?.stringValue.map(BusName.init(trusted:)) }
}
