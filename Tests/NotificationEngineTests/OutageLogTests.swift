import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("How late a date is")
struct OutageLogTests {
    private let second: Int64 = 1_000_000

    @Test
    func `at the first check an earlier date is late by the time since that date`() {
        var clock = ClockOutageLog()
        #expect(clock.lateness(of: 5) == 0, "before the first check no date counts as late")
        clock.recordPresence(at: 100 * second, earliest: nil)
        #expect(clock.lateness(of: 40 * second) == 60 * second)
        #expect(clock.lateness(of: 100 * second) == 0)
        #expect(clock.lateness(of: 101 * second) == 0)
        #expect(clock.lateness(of: .min) == 0, "a row without a date has no lateness")
    }

    @Test
    func `with frequent checks no date is late, however long the delivery takes`() {
        var clock = ClockOutageLog()
        clock.recordPresence(at: 0, earliest: nil)
        for tick in 1...600 {
            clock.recordPresence(at: Int64(tick) * second / 2, earliest: 10 * second)
        }
        #expect(clock.outages.isEmpty)
        #expect(clock.lateness(of: 10 * second) == 0)
        #expect(clock.lateness(of: 299 * second) == 0)
    }

    @Test
    func `a date in a gap between two checks is late by the time until the second check`() {
        var clock = ClockOutageLog()
        clock.recordPresence(at: 0, earliest: nil)
        clock.recordPresence(at: 500 * second, earliest: 0)
        #expect(clock.lateness(of: 0) == 0, "the check at 0 could still show this date")
        #expect(clock.lateness(of: 1) == 500 * second - 1)
        #expect(clock.lateness(of: 499 * second) == second)
        // After the second sleep, requests of the first sleep keep their own lateness.
        clock.recordPresence(at: 501 * second, earliest: 1)
        clock.recordPresence(at: 900 * second, earliest: 1)
        #expect(clock.lateness(of: 400 * second) == 100 * second)
        #expect(clock.lateness(of: 501 * second) == 0)
        #expect(clock.lateness(of: 800 * second) == 100 * second)
    }

    @Test
    func `an imported request is late by the time to its import, even if an outage ended before`() {
        var clock = ClockOutageLog()
        clock.recordPresence(at: 100 * second, earliest: .min)
        clock.takeOver(at: 500 * second)
        #expect(clock.lateness(of: 40 * second) == 460 * second)
        #expect(clock.lateness(of: 300 * second) == 200 * second)
        #expect(clock.lateness(of: 501 * second) == 0)
    }

    @Test
    func `an outage is forgotten when no date before its end is pending`() {
        var clock = ClockOutageLog()
        clock.recordPresence(at: 500 * second, earliest: 100 * second)
        clock.recordPresence(at: 500 * second + 1, earliest: 100 * second)
        #expect(clock.outages.count == 1)
        clock.recordPresence(at: 500 * second + 2, earliest: 600 * second)
        #expect(clock.outages.isEmpty)
        clock.recordPresence(at: 500 * second + 3, earliest: nil)
        #expect(clock.lateness(of: 100 * second) == 0)
    }

    @Test
    func `a clock that is set back forgets the later part of its outages`() {
        var clock = ClockOutageLog()
        clock.recordPresence(at: 0, earliest: nil)
        clock.recordPresence(at: 1_000 * second, earliest: 1)
        clock.recordPresence(at: 400 * second, earliest: 1)
        #expect(clock.lateness(of: 300 * second) == 100 * second)
        #expect(clock.lateness(of: 700 * second) == 0)
        clock.recordPresence(at: 0, earliest: 1)
        #expect(clock.outages.isEmpty)
        clock.recordPresence(at: .min, earliest: nil)
        #expect(clock.outages.isEmpty)
    }

    @Test
    func `the log is bounded, and keeps the longest outages`() {
        var clock = ClockOutageLog()
        clock.recordPresence(at: 0, earliest: .min)
        var now: Int64 = 0
        for index in 1...500 {
            now += Int64(index) * 2 * second
            clock.recordPresence(at: now, earliest: .min)
        }
        #expect(clock.outages.count == ClockOutageLog.limit)
        #expect(
            clock.lateness(of: now - 1) == 1,
            "the last outage is the longest, so the log keeps it")
        #expect(
            clock.lateness(of: 1) == 0, "the first outage is the shortest, so the log forgets it")
        #expect(clock.lateness(of: -second) == second)
    }

    @Test
    func `each clock has its own outages, so setting the wall clock makes no interval late`() {
        var outages = OutageLog()
        let start = ClockReading.sample()
        let head = ScheduleHead(wall: start.wall, boot: start.boot)
        outages.recordPresence(at: start, head: head, isClaiming: false)
        var later = start
        later.wall = start.wall.adding(microseconds: 86_400 * second)
        later.boot += 500_000
        outages.recordPresence(at: later, head: head, isClaiming: false)
        let hour = 3_600 * second
        #expect(
            outages.lateness(of: DueTime(wall: start.wall.adding(microseconds: hour)))
                == 23 * hour)
        #expect(
            outages.lateness(
                of: DueTime(
                    wall: start.wall.adding(microseconds: hour), boot: start.boot + 400_000)) == 0)
    }

    @Test
    func `no outage is forgotten while due requests are being read`() {
        var outages = OutageLog()
        let now = ClockReading.sample()
        let due = DueTime(wall: now.wall.adding(microseconds: -90 * second))
        outages.recordPresence(at: now, head: ScheduleHead(wall: due.wall), isClaiming: false)
        outages.recordPresence(at: now, head: ScheduleHead(), isClaiming: true)
        #expect(outages.lateness(of: due) == 90 * second)
        outages.recordPresence(at: now, head: ScheduleHead(), isClaiming: false)
        #expect(outages.lateness(of: due) == 0)
    }
}

@Suite("How many late notifications become popups")
struct LateAllowanceTests {
    private let late = LateAllowance.threshold + 1

    @Test
    func `an app may show ten late notifications in ten minutes, and all punctual notifications`()
        throws
    {
        let allowance = Locked(LateAllowance())
        func admits(_ lateness: Int64, boot: Int64, _ app: ApplicationID = .tocsin) -> Bool {
            allowance.withLock { $0.admits(app, lateness: lateness, boot: boot) }
        }
        let other = try ApplicationID("org.example.Other")
        for _ in 0..<100 { #expect(admits(LateAllowance.threshold, boot: 0)) }
        for _ in 0..<LateAllowance.individually { #expect(admits(late, boot: 0)) }
        #expect(!admits(late, boot: LateAllowance.window - 1))
        #expect(admits(0, boot: 1), "a punctual notification is always admitted")
        #expect(admits(late, boot: 1, other))
        #expect(admits(late, boot: LateAllowance.window))
    }
}

@Suite("The summary of late notifications")
struct MissedSummaryTests {
    private func content(_ title: String, body: String = "") -> NotificationContent {
        NotificationContent(title: title, body: body)
    }

    @Test
    func `a summary counts all notifications and names the first three`() {
        var summary = MissedSummary()
        summary.add(content("Tea"))
        #expect(summary.request.content.title == "1 more notification")
        #expect(summary.request.content.body == "While you were away: Tea")
        for title in ["Bread", "", "Milk"] { summary.add(content(title, body: "butter")) }
        #expect(summary.request.content.title == "4 more notifications")
        #expect(
            summary.request.content.body == "While you were away: Tea, Bread, butter and 1 more")
    }

    @Test
    func `a summary continues its stored count, cuts long titles and leaves out empty titles`() {
        var summary = MissedSummary()
        summary.add(content(String(repeating: "x", count: 1_000)))
        summary.add(content(""))
        var next = MissedSummary(summary.request.content)
        #expect(next == summary)
        next.add(content("Last"))
        #expect(next.count == 3)
        #expect(next.request.content.body.count < 120)
        #expect(next.request.content.body.hasSuffix("\u{2026}, Last and 1 more"))
        var nameless = MissedSummary()
        nameless.add(content(""))
        #expect(
            nameless.request.content.body == "These notifications arrived while you were away.")
    }

    @Test
    func `a summary that was stored in another language continues in the user's language`() {
        var summary = MissedSummary()
        for title in ["Tea", "Bread", "Milk"] { summary.add(content(title)) }
        var german = MissedSummary(summary.request.content, in: .german)
        #expect(german.request.content.title == "3 weitere Mitteilungen")
        german.add(content("Rice"))
        let text = german.request.content.body
        #expect(text == "Während deiner Abwesenheit: Tea, Bread, Milk und 1 weitere")
    }

    /// A limit in `Character`s would not bound the size: a `Character` may have many accents.
    @Test
    func `a summary stays short, however many accents a letter of a title has`() {
        var summary = MissedSummary()
        summary.add(content("e" + String(repeating: "\u{301}", count: 10_000)))
        #expect(summary.request.content.body.unicodeScalars.count < 100)
    }

    @Test
    func `a summary of hostile content has no negative count, and does not overflow`() {
        var content = NotificationContent(title: "x")
        content.summaryArgumentCount = .min
        content.userInfo = [MissedSummary.identifier: .array([.integer(1), .string("a")])]
        var summary = MissedSummary(content)
        #expect(summary.count == 0)
        content.summaryArgumentCount = .max
        summary = MissedSummary(content)
        summary.add(content)
        #expect(summary.count == .max)
    }
}
