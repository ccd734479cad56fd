import NotificationModel
import NotificationSchedule
import Testing

/// Wall clocks that are put forward and back, by small amounts and by a day.
@Suite("The wall clock of a zone")
struct ZoneRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var zone: String
        var wall: String
        var instants: [String]
        var first: String?
        var testDescription: String { "\(zone) \(wall)" }
    }

    static let rows: [Row] = [
        Row(zone: "Europe/Berlin", wall: "2026-07-01 12:00", instants: ["2026-07-01 10:00"]),
        Row(
            zone: "Europe/Berlin", wall: "2026-03-29 02:30", instants: [], first: "2026-03-29 01:00"
        ),
        Row(
            zone: "Europe/Berlin", wall: "2026-10-25 02:30",
            instants: ["2026-10-25 00:30", "2026-10-25 01:30"]),
        // The footer's rule, beyond the table.
        Row(
            zone: "Europe/Berlin", wall: "2090-10-29 02:30",
            instants: ["2090-10-29 00:30", "2090-10-29 01:30"]),
        // A change of half an hour.
        Row(
            zone: "Australia/Lord_Howe", wall: "2026-04-05 01:45",
            instants: ["2026-04-04 14:45", "2026-04-04 15:15"]),
        Row(
            zone: "Australia/Lord_Howe", wall: "2026-10-04 02:15", instants: [],
            first: "2026-10-03 15:30"),
        // The clock leaves out a whole day.
        Row(
            zone: "Pacific/Apia", wall: "2011-12-30 12:00", instants: [], first: "2011-12-30 10:00"),
        Row(
            zone: "Pacific/Kwajalein", wall: "1993-08-21 08:00", instants: [],
            first: "1993-08-21 12:00"),
        // A change of two hours.
        Row(
            zone: "Antarctica/Troll", wall: "2026-10-25 01:30",
            instants: ["2026-10-24 23:30", "2026-10-25 01:30"]),
        // Morocco puts its clocks back during Ramadan.
        Row(
            zone: "Africa/Casablanca", wall: "2026-02-15 02:30",
            instants: ["2026-02-15 01:30", "2026-02-15 02:30"]),
        Row(
            zone: "Africa/Casablanca", wall: "2026-03-22 02:30", instants: [],
            first: "2026-03-22 02:00"),
        // 23:00 came again at the end of 2009.
        Row(
            zone: "Asia/Dhaka", wall: "2009-12-31 23:30",
            instants: ["2009-12-31 16:30", "2009-12-31 17:30"]),
        // An offset with seconds: the clock leaves out 44 minutes and 30 seconds.
        Row(
            zone: "Africa/Monrovia", wall: "1972-01-07 00:10", instants: [],
            first: "1972-01-07 00:44:30"),
    ]

    @Test(arguments: rows)
    func `a wall-clock time has its instants, and in a gap its first instant is the gap's end`(
        row: Row
    ) throws {
        let rules = try #require(SystemZones.rules(named: row.zone))
        let wall = try #require(Self.seconds(row.wall))
        let instants = row.instants.compactMap(Self.seconds)
        #expect(rules.instants(ofWallClock: wall) == instants)
        #expect(
            rules.firstInstant(atWallClock: wall) == row.first.flatMap(Self.seconds) ?? instants[0])
    }

    @Test
    func `every instant is among the instants of its wall-clock time`() throws {
        for name in SystemZones.differentSample {
            let rules = try #require(SystemZones.rules(named: name))
            let changes = SystemZones.transitions(
                of: rules, from: SystemZones.start(of: 1970), to: SystemZones.start(of: 2060))
            for change in changes {
                for delta in stride(from: Int64(-100_000), to: 100_000, by: 5_003) {
                    let instant = change + delta
                    let wall = rules.wallClock(at: instant)
                    let instants = rules.instants(ofWallClock: wall)
                    #expect(instants.contains(instant))
                    #expect(rules.firstInstant(atWallClock: wall) <= instant)
                }
                // The clock first shows the next second at the change or later: at the end of a
                // gap, or after a repeated hour.
                let before = change - 1 + Int64(rules.offset(at: change - 1))
                #expect(rules.firstInstant(atWallClock: before + 1) >= change)
            }
        }
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01 12:00", 7_200, "CEST"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-12-01 12:00", 3_600, "CET"),
        ("JST-9", "2026-07-01 12:00", 32_400, "JST"),
        ("<+0330>-3:30", "2026-07-01 12:00", 12_600, "+0330"),
        // A rule without dates takes the dates of the United States.
        ("EST5EDT", "2026-03-08 07:00", -14_400, "EDT"),
        ("EST5EDT", "2026-03-08 06:59", -18_000, "EST"),
        // Daylight saving all year (RFC 9636 3.3.1), and negative daylight saving.
        ("EST5EDT,0/0,J365/25", "2026-01-01 05:00", -14_400, "EDT"),
        ("EST5EDT,0/0,J365/25", "2026-12-31 23:59", -14_400, "EDT"),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-01 12:00", 0, "GMT"),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29 01:00", -3_600, "-01"),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29 00:59", -7_200, "-02"),
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28 00:00", 10_800, "EEST"),
    ])
    func `a rule as in the variable TZ gives offset and abbreviation`(
        text: String, at instant: String, offset: Int, abbreviation: String
    ) throws {
        let rules = try #require(Self.rule(text))
        let local = rules.localTime(at: try #require(Self.seconds(instant)))
        #expect(local.offset == offset)
        #expect(local.abbreviation == abbreviation)
    }

    @Test
    func `a rule with daylight saving all year has no transition`() throws {
        let rules = try #require(Self.rule("EST5EDT,0/0,J365/25"))
        #expect(rules.nextTransition(after: 0) == nil)
    }

    private static func rule(_ text: String) -> ZoneRules? {
        var directory = ZoneDirectory(
            environment: ["TZDIR": "/nowhere"], files: .system, report: { _ in })
        return directory.rules(named: text)
    }

    static func seconds(_ text: String) -> Int64? {
        let parts = text.split { "- :".contains($0) }.compactMap { Int($0) }
        guard parts.count >= 5 else { return nil }
        return CivilTime(
            year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4],
            second: parts.count > 5 ? parts[5] : 0
        ).seconds
    }
}
