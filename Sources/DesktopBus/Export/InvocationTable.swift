/// What the arguments of a call take.
struct InvocationSize {
    var bytes = 0
    var descriptors = 0
}

/// The calls of others in work, and the quotas that they use.
///
/// A call counts for its sender, and for the app or process behind that sender once it is known, so
/// that more connections give nobody more places. A call that waits for somebody uses places of its
/// own kind. The table only counts: `BusConnection` starts, follows and cancels the calls.
struct InvocationTable {
    /// What a call is counted for.
    private enum Account: Hashable {
        case sender(BusName)
        /// The app or process that the admission of a call named.
        case owner(String)
    }

    private struct Entry {
        var accounts: [Account]
        var isWait: Bool
        var size: InvocationSize
        var task: Task<Void, Never>?
    }

    fileprivate struct Load {
        var calls = 0
        var waits = 0
        var size = InvocationSize()
        var isEmpty: Bool { calls == 0 && waits == 0 }
    }

    private var entries: [UInt64: Entry] = [:]
    private var loads: [Account: Load] = [:]
    private var total = Load()
    private var lastNumber: UInt64 = 0

    /// Whether anything but waits is in work.
    var hasCalls: Bool { total.calls > 0 }

    /// The senders of calls in work.
    var senders: Set<BusName> {
        Set(
            loads.keys.compactMap { account in
                if case .sender(let name) = account { name } else { nil }
            })
    }

    /// Whether a sender has calls in work.
    func isBusy(_ sender: BusName) -> Bool { loads[.sender(sender)] != nil }

    /// Takes a place and returns its number, or says why there is none.
    mutating func begin(
        _ sender: BusName, isWait: Bool, _ size: InvocationSize,
        within options: BusConnectionOptions
    ) throws(BusError) -> UInt64 {
        try check(.sender(sender), isWait: isWait, size, within: options)
        let (count, limit) =
            isWait
            ? (total.waits, options.maximumWaits) : (total.calls, options.maximumInvocations)
        guard count < limit else {
            throw Self.refusal("\(count) calls are in work here. Try again later.")
        }
        try total.check(size.descriptors, limit: options.maximumDescriptorsOfCalls)
        lastNumber += 1
        entries[lastNumber] = Entry(accounts: [.sender(sender)], isWait: isWait, size: size)
        total.add(isWait, size)
        loads[.sender(sender), default: Load()].add(isWait, size)
        return lastNumber
    }

    /// Takes its place from the oldest wait of a sender that has as many as it may; that one's task.
    ///
    /// A caller that does not wait any more cannot say so, because a bus has no message for it.
    mutating func endOldestWait(
        of sender: BusName, within options: BusConnectionOptions
    ) -> Task<Void, Never>? {
        let count = loads[.sender(sender)]?.waits ?? 0
        guard count > 0, count >= options.maximumWaitsOfSender else { return nil }
        let waits = entries.filter {
            $0.value.isWait && $0.value.accounts.first == .sender(sender)
        }
        guard let oldest = waits.min(by: { $0.key < $1.key }) else { return nil }
        end(oldest.key)
        return oldest.value.task
    }

    /// Counts a call also for the app or process behind it, or says why it may not have more.
    mutating func charge(
        _ number: UInt64, to owner: String, within options: BusConnectionOptions
    ) throws(BusError) {
        guard let entry = entries[number], !owner.isEmpty else { return }
        try check(.owner(owner), isWait: entry.isWait, entry.size, within: options)
        entries[number]?.accounts.append(.owner(owner))
        loads[.owner(owner), default: Load()].add(entry.isWait, entry.size)
    }

    /// Notes the task that works on a call.
    mutating func setTask(_ task: Task<Void, Never>, of number: UInt64) {
        entries[number]?.task = task
    }

    /// The tasks that work on calls of a sender, in the order of the calls.
    func tasks(of sender: BusName) -> [Task<Void, Never>] {
        entries.filter { $0.value.accounts.first == .sender(sender) }
            .sorted { $0.key < $1.key }.compactMap(\.value.task)
    }

    /// Gives a place back.
    mutating func end(_ number: UInt64) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        total.remove(entry.isWait, entry.size)
        for account in entry.accounts {
            loads[account]?.remove(entry.isWait, entry.size)
            if loads[account]?.isEmpty == true { loads[account] = nil }
        }
    }

    private func check(
        _ account: Account, isWait: Bool, _ size: InvocationSize,
        within options: BusConnectionOptions
    ) throws(BusError) {
        guard let load = loads[account] else { return }
        if isWait, load.waits >= options.maximumWaitsOfSender {
            throw Self.refusal(
                "\(load.waits) calls of yours wait here. End some of them before you wait again.")
        }
        if !isWait, load.calls >= options.maximumInvocationsOfSender {
            throw Self.refusal(
                "\(load.calls) calls of yours are in work here. Wait for some of their answers.")
        }
        try load.check(size.descriptors, limit: options.maximumDescriptorsOfCalls / 2)
        guard load.size.bytes + size.bytes <= options.maximumBytesOfSender else {
            throw Self.refusal(
                "\(load.size.bytes) bytes of your calls are in work here. Wait for some of their "
                    + "answers, or send less at once.")
        }
    }

    fileprivate static func refusal(_ message: String) -> BusError {
        .remote("org.freedesktop.DBus.Error.LimitsExceeded", message)
    }
}

extension InvocationTable.Load {
    fileprivate mutating func add(_ isWait: Bool, _ size: InvocationSize) {
        if isWait { waits += 1 } else { calls += 1 }
        self.size.bytes += size.bytes
        self.size.descriptors += size.descriptors
    }

    fileprivate mutating func remove(_ isWait: Bool, _ size: InvocationSize) {
        if isWait { waits -= 1 } else { calls -= 1 }
        self.size.bytes -= size.bytes
        self.size.descriptors -= size.descriptors
    }

    fileprivate func check(_ descriptors: Int, limit: Int) throws(BusError) {
        guard descriptors > 0, size.descriptors > 0, size.descriptors + descriptors > limit else {
            return
        }
        throw InvocationTable.refusal(
            "\(size.descriptors) files of calls are in work here. Send this one again in a moment, "
                + "and fewer at once.")
    }
}
