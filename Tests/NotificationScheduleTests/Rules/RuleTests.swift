import Foundation
import NotificationModel
import NotificationSchedule
import TestSupport
import Testing

/// The properties of every kind of rule.
@Suite struct RuleTests {
    private static let now = Instant(microseconds: 1_795_258_800_000_000)

    @Test(
        arguments: [
            ("calendar Mon..Fri 9:30", "calendar Mon..Fri *-*-* 09:30:00"),
            ("cron @daily", "cron 0 0 * * *"), ("weekday at 9:30", "every weekday at 09:30"),
            ("calendar daily Asia/Tokyo", "calendar *-*-* 00:00:00 Asia/Tokyo"),
        ])
    func `the canonical text of a rule of each grammar gives the same rule`(
        text: String, canonical: String
    ) throws {
        let rule = try Rule(text, until: Self.now, count: 3)
        #expect(rule.description == canonical)
        #expect(try Rule(canonical, until: Self.now, count: 3) == rule)
    }

    @Test func `a rule names its zone`() throws {
        #expect(try Rule("calendar daily Asia/Tokyo").timeZone == "Asia/Tokyo")
        #expect(try Rule("calendar daily").timeZone == nil)
        #expect(try Rule("day at 9").timeZone == nil)
    }

    @Test(arguments: ["cron 0 9 30 2 *", "calendar 2027-02-30", "nonsense", "cron", ""])
    func `a text that is no rule, and a rule without a date, never fire`(text: String) {
        let rule = try? Rule(text)
        // A rule for an impossible day is valid, but it never fires.
        #expect(rule?.next(after: Self.now, in: .fixed(0)) == nil)
    }

    @Test(arguments: ["calendar 9:00", "cron 0 9 * * *", "day at 9"])
    func `a rule gives no date after its last date, or beyond its count`(text: String) throws {
        var rule = try Rule(text)
        let zone = SampleZones.berlin
        let all = rule.dates(after: Self.now, in: zone, limit: 5).map(\.instant)
        #expect(all.count == 5)
        rule.until = all[2]
        #expect(rule.dates(after: Self.now, in: zone, limit: 5).map(\.instant) == Array(all[...2]))
        rule.until = all[2].adding(microseconds: -1)
        #expect(rule.dates(after: Self.now, in: zone, limit: 5).count == 2)
        rule.count = 1
        #expect(rule.dates(after: Self.now, in: zone, limit: 5).count == 1)
        rule.count = 0
        #expect(rule.next(after: Self.now, in: zone) == nil)
    }

    /// A search that visited each of these dates would keep the store busy for many minutes.
    @Test(.timeLimit(.minutes(1)))
    func `a rule passes over millions of dates of a repeated hour at once`() throws {
        let rule = try Rule("calendar *:*:0/0.00005")
        // At this instant, the clocks go from 3:00 back to 2:00.
        let change = Instant(microseconds: 1_792_890_000_000_000)
        let now = change.adding(microseconds: 300_000_000)
        let missed = rule.next(
            after: now, fired: change.adding(microseconds: -3_660_000_000), in: SampleZones.berlin)
        #expect(missed?.instant == change.adding(microseconds: 3_600_000_000))
        let late = rule.next(
            after: now, fired: change.adding(microseconds: 60_000_000), in: SampleZones.berlin)
        #expect(late?.instant == now.adding(microseconds: 50))
    }

    @Test(
        arguments: [
            ("*:*", 60, 90, 3_600), ("*:*", 60, 0, 3_600), ("*:*", 1_800, 600, 3_600),
            // At 2:05 in the second pass, the rule fires late for 2:30. Its next date is 2:10 of
            // the next day.
            ("2:10,30", 1_800, 300, 87_000),
        ] as [(String, Int64, Int64, Int64)])
    func `a calendar rule that fires late for the first pass of an hour skips the second pass`(
        expression: String, early: Int64, late: Int64, expected: Int64
    ) throws {
        let rule = try Rule("calendar " + expression)
        // At this instant, the clocks go from 3:00 back to 2:00.
        let change = Instant(microseconds: 1_792_890_000_000_000)
        let next = rule.next(
            after: change.adding(microseconds: late * 1_000_000),
            fired: change.adding(microseconds: -early * 1_000_000), in: SampleZones.berlin)
        #expect(next?.instant == change.adding(microseconds: expected * 1_000_000))
    }

    @Test func `a rule for every second week starts at the named start or at its first date`()
        throws
    {
        let rule = try Rule("2 weeks on friday at 9")
        let anchored = rule.anchored(after: Self.now, in: SampleZones.berlin)
        #expect(anchored.description == "every 2 weeks on friday at 09:00 from 2026-11-27")
        #expect(
            anchored.anchored(after: .init(microseconds: 0), in: SampleZones.berlin) == anchored)
        let simple = try Rule("friday at 9")
        #expect(simple.anchored(after: Self.now, in: SampleZones.berlin) == simple)
    }

    @Test func `an interval rule has a length, and other rules have none`() throws {
        #expect(try Rule("90m").interval?.seconds == 5_400)
        #expect(try Rule("day at 9").interval == nil)
        #expect(try Rule("cron * * * * *").interval == nil)
    }

    @Test(arguments: 0..<1_000 as Range<UInt64>)
    func `no text crashes the parser`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "every", "2", "weeks", "on", "fri", "first", "monday", "of", "month", "the", "last",
            "day", "at", "9", ":", "30", "*", "/", "-", "..", "~", ",", " ", " ", "*-*-*", "cron ",
            "calendar ", "@", "é", "👩‍👩‍👧", "\0", "99999999999999999999", "0", "december", "24th",
            "from 2026-11-27", "Europe/Berlin", "UTC", "m", "h", ".", "29", "february",
        ]
        let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
            parts[Int.random(in: 0..<parts.count, using: &random)]
        }.joined(separator: Bool.random(using: &random) ? " " : "")
        do throws(TimeTextError) {
            let rule = try Rule(text)
            #expect(try Rule(rule.description) == rule, "\(text)")
            let next = rule.next(after: Self.now, in: SampleZones.berlin)
            #expect(next.map { $0.instant > Self.now } != false)
        } catch {
            #expect(error.range.lowerBound <= error.text.count)
            #expect(!error.range.isEmpty && !error.problem.isEmpty && !error.remedy.isEmpty)
        }
    }
}
