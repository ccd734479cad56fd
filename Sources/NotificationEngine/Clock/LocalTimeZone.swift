internal import Logging
internal import NotificationModel
internal import Reactor

/// The name of the person's zone, as `PersonsZone` finds it.
///
/// Looked up again once a second at most, and only when asked.
final class LocalTimeZone: Sendable {
    private static let lifetime: Int64 = 1_000_000

    private let zones: SystemZones
    private let fixed: String?
    private let cached = Locked(Cache())

    private struct Cache {
        var name = "UTC"
        var until = Int64.min
        /// What the last refresh, or the first look, found.
        var told: String?
    }

    /// Makes a look-up for a process of this environment.
    init(environment: [String: String], zones: SystemZones = .shared) {
        self.zones = zones
        fixed = zones.fixedName(environment: environment)
        if fixed == nil, let name = environment["TZ"] {
            Log.engine.warning(
                """
                There is no zone data for \(name.quotedForMessage()), which TZ names: times are \
                in the zone of the system. Install tzdata, or set TZ to a zone that is installed.
                """)
        }
    }

    /// Whether the name can change while the program runs.
    var isFixed: Bool { fixed != nil }

    /// Looks the name up now, and says whether it is another than at the last call.
    ///
    /// That somebody read the new name meanwhile does not hide the change.
    func refresh(at moment: Int64) -> Bool {
        guard fixed == nil else { return false }
        let name = zones.systemName()
        return cached.withLock { cache in
            let told = cache.told
            cache = Cache(name: name, until: moment + Self.lifetime, told: name)
            return told != name
        }
    }

    /// The name at this moment of the boot-time clock, in microseconds.
    func identifier(at moment: Int64) -> String {
        if let fixed { return fixed }
        return cached.withLock { cache in
            if moment >= cache.until {
                let name = zones.systemName()
                cache = Cache(
                    name: name, until: moment + Self.lifetime, told: cache.told ?? name)
            }
            return cache.name
        }
    }
}
