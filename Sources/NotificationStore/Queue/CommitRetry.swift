import NotificationModel

/// Decides what follows when the commit of a group fails.
///
/// It owns no change and no database: `CommitQueue` performs each decision. Every decision makes
/// progress: it ends the group, makes it smaller, or uses up something that exists once.
struct CommitRetry {
    /// The kinds of failure that lead to different decisions.
    enum Failure: Hashable {
        /// The disk is full.
        case diskFull
        /// The memory does not suffice.
        case outOfMemory
        /// The file is no intact database.
        case damaged
        /// Anything else.
        case other
    }

    enum Decision: Hashable {
        /// Free the reserve, report `madeRoom`, and commit again.
        case makeRoom
        /// Commit again, with as many changes as `groupSize` says.
        case again
        /// Tell the callers of this group that nothing was changed.
        case refuse
        /// Replace the database by one with all that can be read, then commit again.
        case repair
        /// Write the database anew in its place, then commit again.
        case rewrite
        /// Refuse everything: only a new process can go on with this store.
        case end
    }

    /// The most changes in one commit.
    static let groupLimit = 1_024
    /// How often the database is written anew before one commit.
    static let rewriteLimit = 3

    /// How many of the waiting changes are committed one by one, because together they failed.
    private var single = 0
    private var hasAskedForRoom = false
    private var hasRepaired = false
    private var rewrites = 0

    /// How many of the waiting changes the next commit takes.
    func groupSize(of waiting: Int) -> Int {
        single > 0 ? min(1, waiting) : min(waiting, Self.groupLimit)
    }

    /// A group of this size was committed or refused.
    mutating func finished(_ count: Int) {
        single = max(0, single - count)
        hasAskedForRoom = false
        rewrites = 0
    }

    /// The files of the database do not lie in their places.
    mutating func displaced() -> Decision {
        // Whoever takes them away each time would keep every caller waiting for ever.
        guard rewrites < Self.rewriteLimit else { return .end }
        rewrites += 1
        return .rewrite
    }

    /// The commit of a group of this size failed and was rolled back.
    mutating func failed(_ failure: Failure, size: Int) -> Decision {
        switch failure {
        case .damaged:
            // Once in a process: a medium that damages the new file too costs rows each time.
            guard !hasRepaired else { return .end }
            hasRepaired = true
            return .repair
        case .diskFull where !hasAskedForRoom:
            hasAskedForRoom = true
            return .makeRoom
        case .diskFull, .outOfMemory:
            // What one large change lacks may be enough for the others.
            guard size > 1 else { return .refuse }
            single = size
            return .again
        case .other:
            return .refuse
        }
    }

    /// The reserve was freed, or there was none.
    mutating func madeRoom(_ isFreed: Bool, size: Int) -> Decision {
        isFreed ? .again : failed(.diskFull, size: size)
    }
}
