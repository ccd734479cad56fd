import NotificationModel
import NotificationSchedule
import TestSupport
import Testing

/// Any text as a time or a rule gives an error, or a date in the allowed range.
@Suite struct ScheduleFuzzTests {
    private static let instants = [
        Instant(microseconds: 0), Instant(microseconds: 1_795_258_800_000_000),
        Instant.latest.adding(microseconds: -86_400_000_000), .latest,
        Instant(microseconds: .max), Instant(microseconds: .min),
    ]

    private static let ruleWords = [
        "every", "other", "day", "weekday", "weekend", "week", "month", "year", "hour", "on", "the",
        "at", "of", "last", "from", "first", "31st", "monday", "feb", "2026-11-27", "9999-12-31",
        "0000-01-01", "*", "/", "..", ",", "~", "-", ":", "calendar ", "cron ", "UTC", "am", "m",
    ]

    @Test func `a rule of any text is refused, or its dates lie from 1970 to 9999`() throws {
        let samples = [
            "15m", "every 2 weeks on friday at 9:00", "weekday at 9:30", "month on the 1st,15th",
            "first monday of month at 10", "year on december 24 at 18:00", "31 days at 9:00",
            "100 years on february 29 at 9:00 from 9996-02-29", "month on the last day at 23:59:59",
            "calendar Mon *-*-* 09:00:00", "calendar *-02~01/7 0/2:*:00.5 UTC",
            "calendar 2199-12-31 23:59:59.999999", "cron 0 9 * * 1", "cron 59 23 29 2 */6",
            "cron @yearly", "every 8640000h",
        ]
        try FuzzRun("rules", rounds: 250).mutants(of: samples, words: Self.ruleWords) { text in
            guard let rule = try? Rule(text) else { return }
            for instant in Self.instants {
                let dates = rule.dates(after: instant, in: SampleZones.berlin, limit: 2)
                #expect(dates.allSatisfy { $0.instant.isUsable }, "\(text)")
                #expect(
                    dates.allSatisfy { $0.instant > instant }, "\(text) \(instant)")
            }
            let again = try? Rule(rule.description)
            #expect(again == rule, "\(text) is \(rule)")
        }
    }

    @Test func `a span of any text is refused, or it lasts at most 1000 years`() throws {
        let words = ["h", "m", "s", "ms", "d", "w", "days", "weeks", "and", ",", ".", "1", "in"]
        try FuzzRun("spans", rounds: 800).mutants(
            of: ["10m", "1h30m", "2 days", "1.5h", "in 90s", "8784000h"], words: words
        ) { text in
            guard let span = try? Span(text) else { return }
            let longest = Limits.interval.range.upperBound * 1_000_000
            #expect((1...longest).contains(span.microseconds), "\(text)")
        }
    }

    @Test func `a time of any text is refused, or it is a date up to 9999`() throws {
        let samples = [
            "8am", "tomorrow 20:15", "fri 15:00", "2026-12-24 18:00", "tonight at 22:15",
            "2026-12-24T18:00:00.123456+01:00", "@1790000000.5", "now + 10 minutes", "in 1h30m",
            "9999-12-31 23:59:59", "0000-01-01 0:00",
        ]
        let words = ["am", "pm", "noon", "today", "utc", "Z", "+14:00", "-23:59", "@", "t", ":"]
        try FuzzRun("times", rounds: 800).mutants(of: samples, words: words) { text in
            for now in Self.instants.prefix(4) {
                let found = try? TimePhrase.resolve(
                    text, now: now, zone: SampleZones.berlin, isPastAllowed: true)
                #expect(found ?? .latest <= .latest, "\(text)")
            }
            // Making the error's text must not fail either.
            do throws(TimeTextError) {
                _ = try TimePhrase.resolve(text, now: Self.instants[1], zone: SampleZones.berlin)
            } catch {
                #expect(!error.pointer.isEmpty && !error.description.isEmpty)
            }
        }
    }

    @Test func `calendar components of any numbers match no date or a date up to 9999`() throws {
        let numbers = [Int.min, -1, 0, 1, 2, 29, 31, 59, 9_999, 10_000, Int.max - 1, Int.max]
        try FuzzRun("components", rounds: 250).rounds { _, random in
            var components = CalendarComponents()
            for field in CalendarComponents.fields where Bool.random(using: &random) {
                components[keyPath: field.path] = numbers.randomElement(using: &random)
            }
            components.calendar =
                [nil, "iso8601", "gregorian"].randomElement(using: &random) ?? nil
            let rules = ZoneRules.utc
            for instant in Self.instants {
                let date = NextDate.find(matching: components, after: instant, in: rules)
                #expect(date.map { $0 > instant && $0 <= .latest } ?? true, "\(components)")
            }
            _ = NextDate.canMatch(components)
        }
    }

    @Test func `a zone file of any bytes is refused, or every date in it can be computed`() throws {
        let sample = ZoneFileBuilder(
            version: 2, times: [-1_000_000_000, 0, 1_000_000_000, 1_700_000_000],
            kinds: [1, 0, 1, 0], types: [(3_600, false, 0), (7_200, true, 4)],
            names: "CET\0CEST\0", footer: "CET-1CEST,M3.5.0,M10.5.0/3"
        ).bytes()
        try FuzzRun("zone-file", rounds: 250).mutants(
            of: [sample],
            words: ["TZif2", "CET-1CEST,M3.5.0,M10.5.0/3", "<-03>3", ",J366", ",M13.6.7/168"]
        ) { bytes in
            guard let rules = try? ZoneRules(tzif: bytes) else { return }
            for instant in Self.instants {
                _ = rules.civilTime(at: instant)
                _ = rules.nextTransition(after: instant.wholeSeconds)
                var components = CalendarComponents()
                (components.hour, components.minute) = (2, 30)
                _ = NextDate.find(matching: components, after: instant, in: rules)
                components.hour = nil
                _ = NextDate.find(matching: components, after: instant, in: rules)
            }
        }
    }
}
