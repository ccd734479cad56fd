/// One signal of an interface, for its description.
public struct SignalEntry: Sendable, Hashable {
    /// The signal.
    public let name: MemberName
    /// Its arguments.
    public let arguments: [ArgumentEntry]

    /// Makes an entry.
    public init(_ name: MemberName, _ arguments: [ArgumentEntry] = []) {
        self.name = name
        self.arguments = arguments
    }
}
