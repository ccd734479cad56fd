import NotificationModel
import NotificationSchedule
import TestSupport
import Testing

/// Each grammar of rules, compared near changes of zones with `SlowClock`.
@Suite struct RuleOracleTests {
    /// Clocks that change at 2:00 and 3:00, by half an hour, or forward and back at midnight.
    private static let zones: [(zone: ZoneRules, changes: [Int64])] = [
        (SampleZones.berlin, [1_774_746_000, 1_792_890_000]),
        (SampleZones.newYork, [1_772_953_200, 1_793_512_800]),
        (SampleZones.lordHowe, [1_775_314_800, 1_791_041_400]),
        // Two hours ahead of UTC, with summer time from 2026-03-29 0:00 to 2026-10-25 24:00.
        (midnight, [1_774_735_200, 1_792_962_000]),
    ]

    private static let midnight = SampleZones.zone(
        standard: 7_200, changes: [(1_774_735_200, 10_800), (1_792_962_000, 7_200)])

    private static let minutes = 3 * 1_440

    /// A rule's text, and a function that tells whether a local time matches the rule.
    private typealias Sample = (text: String, matches: (CivilTime) -> Bool)

    private static func check(
        seed: UInt64, policy: SlowClock.Policy, _ make: (inout SeededGenerator) -> Sample
    ) throws {
        var random = SeededGenerator(seed: seed)
        let (zone, changes) = zones[Int.random(in: 0..<zones.count, using: &random)]
        let change = changes[Int.random(in: 0...1, using: &random)]
        let seconds = change - Int64.random(in: 0...100_000, using: &random)
        let start = Instant(microseconds: seconds / 60 * 60_000_000)
        let sample = make(&random)
        let clock = SlowClock(zone: zone, policy: policy)
        let expected = clock.dates(after: start, minutes: minutes, where: sample.matches)
        let end = start.adding(microseconds: Int64(minutes) * 60_000_000)
        let rule = try Rule(sample.text, until: end)
        let dates = rule.dates(after: start, in: zone, limit: minutes).map(\.instant)
        #expect(
            dates == expected,
            "\(sample.text) after \(zone.rfc3339(start)): \(text(dates, expected, zone))"
        )
    }

    /// Returns the first difference of two lists.
    private static func text(
        _ dates: [Instant], _ expected: [Instant], _ zone: ZoneRules
    )
        -> String
    {
        let index = zip(dates, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let place = index ?? min(dates.count, expected.count)
        return [dates, expected].map { list in
            place < list.count ? zone.rfc3339(list[place]) : "nothing"
        }.joined(separator: " instead of ")
    }

    private static func subset(
        of range: ClosedRange<Int>, _ random: inout SeededGenerator
    ) -> [Int] {
        let count = Int.random(in: 1...4, using: &random)
        return Set((0..<count).map { _ in Int.random(in: range, using: &random) }).sorted()
    }

    private static func list(_ values: [Int]) -> String {
        values.map(String.init).joined(separator: ",")
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `if a gap removes a fixed time, cron fires at the gap's end`(seed: UInt64) throws {
        try Self.check(seed: seed, policy: .makeUp) { random in
            let (hours, minutes) = (
                Self.subset(of: 0...4, &random), Self.subset(of: 0...59, &random)
            )
            let days = Self.subset(of: 0...6, &random)
            let isAnyDay = Bool.random(using: &random)
            let text = "cron \(Self.list(minutes)) \(Self.list(hours)) * * "
            return (
                text + (isAnyDay ? "*" : Self.list(days)),
                {
                    hours.contains($0.hour) && minutes.contains($0.minute)
                        && (isAnyDay || days.contains($0.weekday - 1))
                }
            )
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `cron wildcards fire at each matching time that the clock shows`(seed: UInt64) throws {
        try Self.check(seed: seed, policy: .follow) { random in
            let step = [7, 10, 15, 20, 45].randomElement(using: &random) ?? 10
            let hours = Self.subset(of: 0...23, &random)
            let isAnyHour = Bool.random(using: &random)
            return (
                "cron */\(step) \(isAnyHour ? "*" : Self.list(hours)) * * *",
                { $0.minute % step == 0 && (isAnyHour || hours.contains($0.hour)) }
            )
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `a calendar expression skips a time that a gap removes`(seed: UInt64) throws {
        try Self.check(seed: seed, policy: .skip) { random in
            let (hours, minutes) = (
                Self.subset(of: 0...4, &random), Self.subset(of: 0...59, &random)
            )
            let days = Self.subset(of: 0...6, &random)
            let isAnyHour = Bool.random(using: &random)
            let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
            let weekdays = days.map { names[$0] }.joined(separator: ",")
            return (
                "calendar \(weekdays) \(isAnyHour ? "*" : Self.list(hours)):\(Self.list(minutes))",
                {
                    (isAnyHour || hours.contains($0.hour)) && minutes.contains($0.minute)
                        && days.contains($0.weekday - 1)
                }
            )
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `if a gap removes a time, a rule in words fires at the gap's end`(seed: UInt64) throws {
        try Self.check(seed: seed, policy: .makeUp) { random in
            let times = (0..<4).map { _ in
                (Int.random(in: 0...3, using: &random), Int.random(in: 0...59, using: &random))
            }
            let days = Self.subset(of: 0...6, &random)
            let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
            let weekdays = days.map { names[$0] }.joined(separator: ",")
            let clock = times.map { "\($0.0):\($0.1 < 10 ? "0" : "")\($0.1)" }
            return (
                "\(weekdays) at \(clock.joined(separator: ","))",
                { civil in
                    days.contains(civil.weekday - 1)
                        && times.contains { $0.0 == civil.hour && $0.1 == civil.minute }
                }
            )
        }
    }

    private static let samples: [(text: String, matches: @Sendable (CivilTime) -> Bool)] = [
        ("first monday of month", { $0.weekday == 2 && $0.day <= 7 }),
        ("last friday of month", { $0.weekday == 6 && $0.day + 7 > Self.monthLength($0) }),
        ("third weekend of march", { $0.month == 3 && Self.isThirdWeekendDay($0) }),
        ("month on the 30th", { $0.day == 30 }),
        ("month on the last day", { $0.day == Self.monthLength($0) }),
        ("year on february 29", { $0.month == 2 && $0.day == 29 }),
        ("last day of february", { $0.month == 2 && $0.day == Self.monthLength($0) }),
        ("5 days at 0:00 from 2026-01-03", { ($0.dayNumber - 20_456) % 5 == 0 }),
        (
            "2 weeks on mon,sun from 2026-01-04",
            { [0, 6].contains(($0.dayNumber - 20_451) % 14) }
        ),
        (
            "5 months on the 31st from 2026-01-31",
            { $0.day == 31 && ($0.year * 12 + $0.month - 1) % 5 == 24_312 % 5 }
        ),
    ]

    @Test(arguments: 0..<samples.count)
    func `a rule's dates in five years are the days that match`(index: Int) throws {
        let (text, matches) = Self.samples[index]
        let start = CivilTime(year: 2_026, month: 1, day: 30)
        let all = (1...5 * 365).map { start.adding(days: $0) }.filter(matches)
        let zone = ZoneRules.fixed(0)
        let dates = try Rule(text).dates(
            after: zone.instant(of: start), in: zone, limit: all.count)
        #expect(dates.map { zone.civilTime(at: $0.instant) } == all, "\(text)")
    }

    private static func monthLength(_ date: CivilTime) -> Int {
        CivilTime.days(inMonth: date.month, of: date.year)
    }

    private static func isThirdWeekendDay(_ date: CivilTime) -> Bool {
        let weekend = (1...date.day).filter {
            [1, 7].contains(CivilTime(year: date.year, month: date.month, day: $0).weekday)
        }
        return weekend.count == 3 && weekend.last == date.day
    }
}
