/// The number of unfinished calls, and the resources that they use.
struct InvocationLoad {
    var calls = 0
    var waits = 0
    /// The bytes of the calls' arguments.
    var bytes = 0
    var descriptors = 0

    var isEmpty: Bool { calls == 0 && waits == 0 }

    /// Adds another load; the factor -1 subtracts it.
    mutating func add(_ other: InvocationLoad, factor: Int = 1) {
        calls += factor * other.calls
        waits += factor * other.waits
        bytes += factor * other.bytes
        descriptors += factor * other.descriptors
    }
}

/// The unfinished calls of other programs, and their quotas.
///
/// The table counts the calls of each sender, and of the app or process behind the sender. So a
/// program gains no quota by opening more connections. Calls that wait for a long time have a
/// separate quota. The table never starts, follows or cancels a call: `BusConnection` does.
struct InvocationTable {
    /// A counted call.
    struct Place {
        let number: UInt64
        /// The task of the older wait that this wait has replaced; nil if it has replaced no wait.
        let endedWait: Task<Void, Never>?
    }

    private enum Account: Hashable {
        case sender(BusName)
        /// The app or process that `MethodEntry.admission` returned for the sender.
        case owner(String)
    }

    private struct Entry {
        let sender: BusName
        let load: InvocationLoad
        var accounts: [Account] = []
        var task: Task<Void, Never>?
    }

    private var entries: [UInt64: Entry] = [:]
    private var loads: [Account: InvocationLoad] = [:]
    private var total = InvocationLoad()
    private var lastNumber: UInt64 = 0

    /// Whether any call other than a long wait is unfinished.
    var hasCalls: Bool { total.calls > 0 }

    var senders: Set<BusName> { Set(entries.values.map(\.sender)) }

    func isBusy(_ sender: BusName) -> Bool { loads[.sender(sender)] != nil }

    /// Counts a new call; throws `LimitsExceeded` if a quota is used up.
    ///
    /// If a sender has used up its quota of waits, its new wait replaces its oldest wait. The
    /// sender may not need the answer to its oldest wait any more, but D-Bus has no message that
    /// withdraws a call. If a limit refuses the new wait, the oldest wait continues.
    ///
    /// There is one exception: while the oldest wait is not admitted yet, the table does not know
    /// its app or process. A limit of that app or process can refuse the new wait after the oldest
    /// wait has ended.
    mutating func acquirePlace(
        _ sender: BusName, _ load: InvocationLoad, within options: BusConnectionOptions
    ) throws(BusError) -> Place {
        let oldest = load.waits > 0 ? oldestWait(of: sender, within: options) : nil
        let freed = oldest?.entry.load ?? InvocationLoad()
        // The process behind the oldest wait also sends the new wait, so check its account, too.
        for account in oldest?.entry.accounts ?? [.sender(sender)] {
            try check(account, load, freeing: freed, within: options)
        }
        var total = total
        total.add(freed, factor: -1)
        let (count, limit) =
            load.waits > 0
            ? (total.waits, options.maximumWaits) : (total.calls, options.maximumInvocations)
        guard count < limit else {
            throw Self.refusal("This service is processing \(count) calls. Try again later.")
        }
        guard total.bytes == 0 || total.bytes + load.bytes <= options.maximumBytesOfCalls else {
            throw Self.refusal(
                "This service is processing \(total.bytes) bytes of calls. Try again later.")
        }
        try Self.check(total, load, descriptors: options.maximumDescriptorsOfCalls)
        if let oldest { releasePlace(oldest.number) }
        lastNumber += 1
        self.total.add(load)
        charge(Entry(sender: sender, load: load), lastNumber, to: .sender(sender))
        return Place(number: lastNumber, endedWait: oldest?.entry.task)
    }

    /// The oldest wait of a sender that has used up its quota of waits; nil below the quota.
    private func oldestWait(
        of sender: BusName, within options: BusConnectionOptions
    ) -> (number: UInt64, entry: Entry)? {
        let count = loads[.sender(sender)]?.waits ?? 0
        guard count > 0, count >= options.maximumWaitsOfSender else { return nil }
        let waits = entries.filter { $0.value.load.waits > 0 && $0.value.sender == sender }
        return waits.min { $0.key < $1.key }.map { (number: $0.key, entry: $0.value) }
    }

    /// Also counts a call for the app or process behind its sender; throws if that quota is used
    /// up.
    mutating func charge(
        _ number: UInt64, to owner: String, within options: BusConnectionOptions
    ) throws(BusError) {
        guard let entry = entries[number], !owner.isEmpty else { return }
        try check(.owner(owner), entry.load, within: options)
        charge(entry, number, to: .owner(owner))
    }

    private mutating func charge(_ entry: Entry, _ number: UInt64, to account: Account) {
        var entry = entry
        entry.accounts.append(account)
        entries[number] = entry
        loads[account, default: InvocationLoad()].add(entry.load)
    }

    mutating func setTask(_ task: Task<Void, Never>, of number: UInt64) {
        entries[number]?.task = task
    }

    func tasks(of sender: BusName) -> [Task<Void, Never>] {
        entries.filter { $0.value.sender == sender }
            .sorted { $0.key < $1.key }.compactMap(\.value.task)
    }

    mutating func releasePlace(_ number: UInt64) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        total.add(entry.load, factor: -1)
        for account in entry.accounts {
            loads[account]?.add(entry.load, factor: -1)
            if loads[account]?.isEmpty == true { loads[account] = nil }
        }
    }

    private func check(
        _ account: Account, _ call: InvocationLoad, freeing freed: InvocationLoad = .init(),
        within options: BusConnectionOptions
    ) throws(BusError) {
        var load = loads[account] ?? InvocationLoad()
        load.add(freed, factor: -1)
        guard !load.isEmpty else { return }
        if call.waits > 0, load.waits >= options.maximumWaitsOfSender {
            throw Self.refusal(
                "\(load.waits) of your calls are waiting. End one of them before you wait again.")
        }
        if call.calls > 0, load.calls >= options.maximumInvocationsOfSender {
            throw Self.refusal(
                "This service is processing \(load.calls) of your calls. Wait for some answers.")
        }
        try Self.check(load, call, descriptors: options.maximumDescriptorsOfCalls / 2)
        guard load.bytes + call.bytes <= options.maximumBytesOfSender else {
            throw Self.refusal(
                "This service is processing \(load.bytes) bytes of your calls. Wait for some "
                    + "answers, or send less at a time.")
        }
    }

    private static func check(
        _ load: InvocationLoad, _ call: InvocationLoad, descriptors limit: Int
    ) throws(BusError) {
        guard call.descriptors > 0, load.descriptors > 0,
            load.descriptors + call.descriptors > limit
        else { return }
        throw refusal(
            "Calls in progress hold \(load.descriptors) files. Send this call again in a moment, "
                + "with fewer files at a time.")
    }

    private static func refusal(_ message: String) -> BusError {
        .remote("org.freedesktop.DBus.Error.LimitsExceeded", message)
    }
}
