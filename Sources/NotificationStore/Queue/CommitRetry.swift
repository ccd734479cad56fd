import NotificationModel

/// Decides what `CommitQueue` does when the commit of a group of changes fails.
///
/// Every decision makes progress: it ends the group, makes the group smaller, or uses up a remedy
/// that is limited.
struct CommitRetry {
    enum Failure: Hashable {
        case diskFull
        case outOfMemory
        /// The file is not an intact database.
        case damaged
        case other
    }

    enum Decision: Hashable {
        /// Free the reserve and commit again; if nothing can be freed, ask for another decision.
        case makeRoom
        /// Commit again, with as many changes as `groupSize` says.
        case again
        /// Tell the callers of this group that nothing was changed.
        case refuse
        /// Replace the database by a new one with all readable rows, then commit again.
        case repair
        /// Write the database again in its place, then commit again.
        case rewrite
        /// Refuse everything: only a new process can continue with this store.
        case end
    }

    static let groupLimit = 1_024
    static let rewriteLimit = 3

    /// How many waiting changes are committed one by one, because they failed together.
    private var singleCount = 0
    private var hasAskedForRoom = false
    private var hasRepaired = false
    private var rewrites = 0

    /// How many of the waiting changes the next commit takes.
    func groupSize(of waiting: Int) -> Int {
        singleCount > 0 ? min(1, waiting) : min(waiting, Self.groupLimit)
    }

    /// Records that a group of this size was committed or refused.
    mutating func commitFinished(_ count: Int) {
        singleCount = max(0, singleCount - count)
        hasAskedForRoom = false
        rewrites = 0
    }

    mutating func filesDisplaced() -> Decision {
        // Limit the rewrites: if a program removes the files again and again, callers would wait
        // forever.
        guard rewrites < Self.rewriteLimit else { return .end }
        rewrites += 1
        return .rewrite
    }

    /// Decides what to do after the commit of a group of this size failed and was rolled back.
    mutating func commitFailed(_ failure: Failure, size: Int) -> Decision {
        switch failure {
        case .damaged:
            // Repair only once per process: if the disk damages the new file too, each repair loses
            // more rows.
            guard !hasRepaired else { return .end }
            hasRepaired = true
            return .repair
        case .diskFull where !hasAskedForRoom:
            hasAskedForRoom = true
            return .makeRoom
        case .diskFull, .outOfMemory:
            // Commit one by one: a large change may fail although the other changes succeed.
            guard size > 1 else { return .refuse }
            singleCount = size
            return .again
        case .other:
            return .refuse
        }
    }
}
