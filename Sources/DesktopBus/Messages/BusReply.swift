/// The answer to a method call.
public struct BusReply: Sendable, Hashable {
    /// Who answered: a unique name, or the bus itself.
    public let sender: BusName?
    /// What was answered.
    public let arguments: [BusValue]

    /// Makes an answer.
    public init(sender: BusName?, arguments: [BusValue]) {
        self.sender = sender
        self.arguments = arguments
    }
}
