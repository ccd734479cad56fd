/// Whether the person's session is locked, and who says so.
public struct LockStatus: Hashable, Sendable {
    /// Whether it is locked; false where nobody tells.
    public var isLocked: Bool
    /// Who tells, as its name on the bus; empty where nobody does.
    public var sources: [String]

    /// Makes a status.
    public init(isLocked: Bool = false, sources: [String] = []) {
        self.isLocked = isLocked
        self.sources = sources
    }
}
