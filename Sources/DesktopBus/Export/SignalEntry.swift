/// One signal in the description of an interface.
public struct SignalEntry: Sendable, Hashable {
    /// The signal.
    public let name: MemberName
    /// The arguments of the signal.
    public let arguments: [ArgumentEntry]

    /// Makes an entry.
    public init(_ name: MemberName, _ arguments: [ArgumentEntry] = []) {
        self.name = name
        self.arguments = arguments
    }
}
