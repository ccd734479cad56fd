internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// Keeps the rights of callers, so that each connection is inspected once, not for each call.
///
/// A bus gives no unique name twice, so the rights of a connection stay valid until the bus ends.
/// The exporter learns the end of a connection only if the connection has a session or a watch. So
/// a full cache drops its oldest connection.
struct CallerRightsCache {
    enum Step {
        case known(CallerRights)
        /// Another call is already inspecting the sender.
        case wait(Promise<Void>)
        /// Inspect the sender, and pass `run` to `rightsFound`; `run` changes when the bus is lost.
        case lookUp(run: Int)
    }

    private var rights: [BusName: CallerRights] = [:]
    private var order: [BusName] = []
    private var waiting: [BusName: [Promise<Void>]] = [:]
    /// The apps that the calls of each quota owner (an app or a process) have named;
    /// `appsOfProgram` limits their number.
    ///
    /// The set keeps an app after the owner's connections close, because a process could otherwise
    /// register any number of apps over new connections.
    private var named: [String: Set<String>] = [:]
    /// The keys of `named`, the oldest first.
    private var namers: [String] = []
    private var run = 0

    mutating func requestRights(of sender: BusName) -> Step {
        if let known = rights[sender] { return .known(known) }
        if waiting[sender] != nil {
            let promise = Promise<Void>()
            waiting[sender]?.append(promise)
            return .wait(promise)
        }
        waiting[sender] = []
        return .lookUp(run: run)
    }

    func known(_ sender: BusName) -> CallerRights? { rights[sender] }

    /// Records that a sender names an app; throws if the sender's quota owner has already named too
    /// many apps.
    mutating func name(_ app: String, by sender: BusName) throws(NotificationError) {
        guard let known = rights[sender] else { return }
        let owner = known.quotaOwner.isEmpty ? sender.rawValue : known.quotaOwner
        var apps = named[owner] ?? []
        guard apps.insert(app).inserted else { return }
        try Limits.appsOfProgram.check(apps.count, of: "the program of the connection \(sender)")
        if named[owner] == nil {
            namers.append(owner)
            if namers.count > Limits.callers.most { named[namers.removeFirst()] = nil }
        }
        named[owner] = apps
    }

    /// Stores the rights if they were found; returns the promises of the waiting calls, in their
    /// order.
    mutating func rightsFound(
        _ sender: BusName, _ found: CallerRights?, run: Int
    ) -> [Promise<Void>] {
        guard run == self.run else { return [] }
        if let found {
            rights[sender] = found
            order.append(sender)
            if order.count > Limits.callers.most {
                let oldest = order.removeFirst()
                rights[oldest] = nil
            }
        }
        return waiting.removeValue(forKey: sender) ?? []
    }

    mutating func forget(_ sender: BusName) {
        guard rights.removeValue(forKey: sender) != nil else { return }
        order.removeAll { $0 == sender }
    }

    /// Forgets all callers, because the next bus gives their names to other connections.
    ///
    /// Returns the promises of the calls that waited for rights.
    mutating func forgetAll() -> [Promise<Void>] {
        defer { self = CallerRightsCache(run: run + 1) }
        return waiting.values.flatMap(\.self)
    }

    init() {}

    private init(run: Int) {
        self.run = run
    }
}
