internal import Reactor

/// The name of the person's zone, as `PersonsZone` finds it.
///
/// Looked up again once a second at most, and only when asked.
final class LocalTimeZone: Sendable {
    private static let lifetime: Int64 = 1_000_000

    private let zones: SystemZones
    private let fixed: String?
    private let cached = Guarded((name: "UTC", until: Int64.min))

    init(environment: [String: String], zones: SystemZones = .shared) {
        self.zones = zones
        fixed = zones.fixedName(environment: environment)
    }

    /// Whether the name can change while the program runs.
    var isFixed: Bool { fixed != nil }

    /// Looks the name up now, and says whether it is another than before.
    func refresh(at moment: Int64) -> Bool {
        guard fixed == nil else { return false }
        let name = zones.systemName()
        return cached.withLock { entry in
            defer { entry = (name, moment + Self.lifetime) }
            return entry.name != name
        }
    }

    /// The name at this moment of the boot-time clock, in microseconds.
    func identifier(at moment: Int64) -> String {
        if let fixed { return fixed }
        return cached.withLock { entry in
            if moment >= entry.until {
                entry = (zones.systemName(), moment + Self.lifetime)
            }
            return entry.name
        }
    }
}
