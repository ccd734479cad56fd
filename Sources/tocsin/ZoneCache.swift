internal import NotificationSchedule

/// Zones by their names, each read once.
struct ZoneCache {
    private let environment: ToolEnvironment
    private var zones: [String: ZoneOffsets] = [:]

    /// Makes a cache of the zones that the system knows.
    init(environment: ToolEnvironment) {
        self.environment = environment
    }

    /// The zone of this name; the person's where there is none.
    subscript(name: String) -> ZoneOffsets {
        mutating get {
            if let known = zones[name] { return known }
            let zone = environment.zone(named: name) ?? environment.zone
            zones[name] = zone
            return zone
        }
    }
}
