/// Whether the person's session is locked, and who says so.
public struct LockStatus: Hashable, Sendable {
    /// Whether it is locked; false where nobody tells.
    public var isLocked: Bool
    /// Who tells, as its name on the bus; empty where nobody does.
    public var sources: [String]

    /// Whether all have told who were asked; what must not be done in a locked session waits for it.
    public var isDecided: Bool

    /// Makes a status.
    public init(isLocked: Bool = false, sources: [String] = [], isDecided: Bool = true) {
        self.isLocked = isLocked
        self.sources = sources
        self.isDecided = isDecided
    }

    /// Whether nobody says that it is locked, and all have told.
    public var isUnlocked: Bool { isDecided && !isLocked }
}
