internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// What the callers may do: found out once for each connection, and kept while it lasts.
///
/// A bus gives no unique name twice, so what was found out stays true until the bus itself ends.
/// Connections whose end nobody hears of make room for later ones.
struct Admission {
    /// What to do for a sender's call.
    enum Step {
        case known(CallerRights)
        /// Another call finds out.
        case wait(Promise<Void>)
        /// Find out, on this run of the bus.
        case lookUp(run: Int)
    }

    private var rights: [BusName: CallerRights] = [:]
    private var order: [BusName] = []
    private var waiting: [BusName: [Promise<Void>]] = [:]
    /// The apps that each sender has named, so that one process cannot bring up new ones without
    /// end.
    private var named: [BusName: Set<String>] = [:]
    private var run = 0

    mutating func ask(_ sender: BusName) -> Step {
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

    /// Notes that a sender names an app; fails where it has named too many.
    mutating func name(_ app: String, by sender: BusName) throws(NotificationError) {
        guard let known = rights[sender], named[sender]?.contains(app) != true else { return }
        // The connections of one process count together.
        let others = named.filter {
            $0.key == sender
                || (!known.quotaOwner.isEmpty && rights[$0.key]?.quotaOwner == known.quotaOwner)
        }
        let all = others.values.reduce(into: Set([app])) { $0.formUnion($1) }
        try Limits.appsOfConnection.check(all.count, of: "the connection \(sender)")
        named[sender, default: []].insert(app)
    }

    /// Keeps what was found out, if anything; the calls that waited for it, in their order.
    mutating func answer(
        _ sender: BusName, _ found: CallerRights?, run: Int
    ) -> [Promise<Void>] {
        guard run == self.run else { return [] }
        if let found {
            rights[sender] = found
            order.append(sender)
            if order.count > Limits.callers.most {
                let oldest = order.removeFirst()
                rights[oldest] = nil
                named[oldest] = nil
            }
        }
        return waiting.removeValue(forKey: sender) ?? []
    }

    /// A connection has left the bus.
    mutating func forget(_ sender: BusName) {
        named[sender] = nil
        guard rights.removeValue(forKey: sender) != nil else { return }
        order.removeAll { $0 == sender }
    }

    /// The bus has ended, and the next one gives the same names to others; the calls that waited.
    mutating func forgetAll() -> [Promise<Void>] {
        defer { self = Admission(run: run + 1) }
        return waiting.values.flatMap(\.self)
    }

    init() {}

    private init(run: Int) {
        self.run = run
    }
}
