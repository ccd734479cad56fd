import Foundation
import NotificationModel
import NotificationSchedule

/// The zones of this machine's tzdata.
enum SystemZones {
    /// Whether the tests cover every zone, as in `make test-time`, instead of a sample.
    static let all = ProcessInfo.processInfo.environment["TOCSIN_TIME_TESTS"] == "all"

    /// Zones with special rules, which every sample contains.
    private static let special = [
        "Africa/Casablanca", "Africa/Monrovia", "America/Caracas", "America/New_York",
        "America/Nuuk", "America/Sao_Paulo", "America/St_Johns", "Antarctica/Troll", "Asia/Amman",
        "Asia/Dhaka", "Asia/Gaza", "Asia/Kathmandu", "Asia/Pyongyang", "Asia/Tehran",
        "Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin", "Europe/Lisbon",
        "Europe/Volgograd",
        "Pacific/Apia", "Pacific/Chatham", "Pacific/Kiritimati", "Pacific/Kwajalein", "UTC",
    ]

    /// The sorted names of all zones, without the copies in the folders `posix` and `right`.
    static let names: [String] = {
        let folder = "/usr/share/zoneinfo"
        guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
        var names: [String] = []
        for case let name as String in walk {
            if name == "posix" || name == "right" { walk.skipDescendants() }
            guard let first = name.first, first.isUppercase, !name.contains("."),
                let bytes = FileManager.default.contents(atPath: folder + "/" + name),
                bytes.starts(with: Array("TZif".utf8))
            else { continue }
            names.append(name)
        }
        return names.sorted()
    }()

    /// All zones, or a sample that contains the special zones.
    static let sample: [String] = {
        if all { return names }
        let others = names.enumerated().filter { $0.offset % 40 == 0 }.map(\.element)
        return Set(special + others).intersection(names).sorted()
    }()

    /// One name for each distinct zone of the sample.
    static let differentSample: [String] = {
        var seen: Set<ZoneRules> = []
        return sample.filter { name in
            rules(named: name).map { seen.insert($0).inserted } ?? false
        }
    }()

    /// The zones whose rules are the same in Foundation, which has its own copy of tzdata.
    static let sharedWithFoundation: [(name: String, rules: ZoneRules)] = {
        differentSample.compactMap { name in
            guard let rules = rules(named: name), let theirs = TimeZone(identifier: name) else {
                return nil
            }
            let changes = transitions(of: rules, from: start(of: 1985), to: start(of: 2100))
            let instants = changes.flatMap { [$0 - 1, $0, $0 + 40 * 86_400] } + [start(of: 1985)]
            let areAlike = instants.allSatisfy {
                rules.offset(at: $0)
                    == theirs.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))
            }
            return areAlike ? (name, rules) : nil
        }
    }()

    /// The rules of a zone.
    static func rules(named name: String) -> ZoneRules? {
        var directory = ZoneDirectory(environment: [:], files: .system, report: { _ in })
        return directory.rules(named: name)
    }

    /// Returns the instants between `start` and `end` at which a zone changes.
    static func transitions(of rules: ZoneRules, from start: Int64, to end: Int64) -> [Int64] {
        var result: [Int64] = []
        var instant = start
        while let next = rules.nextTransition(after: instant), next < end {
            result.append(next)
            instant = next
        }
        return result
    }

    /// Midnight UTC of the first day of a year.
    static func start(of year: Int) -> Int64 {
        CivilTime(year: year, month: 1, day: 1).seconds
    }
}

extension ZoneRules {
    /// The next instant at which the time, the name or the daylight saving state changes.
    ///
    /// Returns nil after the last change.
    func nextTransition(after seconds: Int64) -> Int64? {
        let before = localTime(at: seconds)
        var period = period(at: seconds)
        // A rule may list changes without effect (RFC 9636 3.3.1, daylight saving all year). The
        // rule repeats every year, so a thousand periods are enough.
        for _ in 0..<1_000 where period.end < 1 << 45 {
            if localTime(at: period.end) != before { return period.end }
            period = self.period(at: period.end)
        }
        return nil
    }
}
