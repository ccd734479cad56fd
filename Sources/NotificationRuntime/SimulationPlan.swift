public import NotificationModel

/// What a simulation is of; nil stands for what is so now.
public struct SimulationPlan: Hashable, Sendable {
    /// The path of the store's database; nil for that of the daemon, or of a development one.
    public var store: String?
    /// Where it begins.
    public var start: Instant?
    /// Where it ends; that instant is not part of it.
    public var end: Instant
    /// The IANA name of the person's zone.
    public var timeZone: String?
    /// The rule by which the machine is suspended; nil for never.
    public var suspendRule: String?
    /// How long it sleeps each time, in microseconds.
    public var suspendLength: Int64 = 0
    /// The most rings; nil for no limit.
    public var limit: Int?

    /// Makes a plan that begins now.
    public init(end: Instant) {
        self.end = end
    }

    /// Reads the command line of `tocsind simulate`, of which `tocsin` is the only writer; nil
    /// where it is none.
    public init?(arguments: [String]) {
        guard arguments.first == "simulate", arguments.count % 2 == 1 else { return nil }
        self.init(end: Instant(microseconds: .max))
        for index in stride(from: 1, to: arguments.count, by: 2) {
            guard take(arguments[index], arguments[index + 1]) else { return nil }
        }
    }

    private mutating func take(_ option: String, _ value: String) -> Bool {
        switch option {
        case "--store": store = value
        case "--tz": timeZone = value
        case "--suspend": suspendRule = value
        case "--from": start = Int64(value).map(Instant.init(microseconds:))
        case "--until": end = Instant(microseconds: Int64(value) ?? .min)
        case "--suspend-length": suspendLength = Int64(value) ?? 0
        case "--limit": limit = Int(value)
        default: return false
        }
        return true
    }
}
