import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("Requests at another time than now")
struct CarryingTests {
    /// Saturday 2026-11-21 12:00 UTC.
    private static let now = ManualClock.start

    private static func claimed(
        _ trigger: NotificationTrigger?, due: String, boot: Int64? = nil, skipped: String? = nil
    ) throws -> ClaimedRequest {
        ClaimedRequest(
            row: 1, app: .tocsin, request: .sample("a", trigger), payload: Data(),
            due: DueTime(wall: try instant(due), boot: boot, zone: boot == nil ? "UTC" : nil),
            skipped: try skipped.map { try instant($0) })
    }

    private static func carried(
        _ claimed: ClaimedRequest, to start: String
    ) throws -> ClaimedRequest? {
        let reading = ClockReading.sample(wall: try instant(start), zone: "UTC")
        return FireSchedule.carried(claimed, to: reading, from: now)
    }

    @Test(
        "What repeats is due at its first date from the start on, the start included",
        arguments: [
            (NotificationTrigger.rule("day at 9"), "2026-12-01 09:00:00", "2026-12-01 09:00:00"),
            (.rule("day at 9"), "2026-12-01 09:00:01", "2026-12-02 09:00:00"),
            (.rule("day at 9"), "2026-11-21 13:00:00", "2026-11-22 09:00:00"),
            (.rule("day at 9"), "2026-01-01 00:00:00", "2026-01-01 09:00:00"),
            (EngineTimeTests.daily(at: 9), "2026-12-01 09:00:01", "2026-12-02 09:00:00"),
            (.rule("day at 9", zone: "Asia/Tokyo"), "2026-12-01 09:00:00", "2026-12-02 00:00:00"),
            (
                .interval(seconds: 3_600, repeats: true), "2026-12-01 00:30:00",
                "2026-12-01 01:00:00"
            ),
            (.rule("6h"), "2026-11-01 02:00:00", "2026-11-01 03:00:00"),
        ])
    func repeating(trigger: NotificationTrigger, start: String, due: String) throws {
        let claimed = try Self.claimed(trigger, due: "2026-11-22 09:00:00")
        let carried = try #require(try Self.carried(claimed, to: start))
        #expect(carried.due.wall == (try instant(due)))
        #expect(carried.due.boot == nil)
        #expect(carried.request == claimed.request)
    }

    @Test(
        "Of a count what has fired before is gone, and with the last one the request",
        arguments: [
            ("2026-11-22 09:00:00", 3), ("2026-11-22 09:00:01", 2), ("2026-11-24 09:00:00", 1),
            ("2026-11-24 09:00:01", nil), ("2026-01-01 00:00:00", 3),
        ] as [(String, Int?)])
    func counted(start: String, left: Int?) throws {
        for text in ["every day at 09:00", "every 24h"] {
            let claimed = try Self.claimed(
                .rule(text, count: 3), due: "2026-11-22 09:00:00")
            let carried = try Self.carried(claimed, to: start)
            #expect(carried?.request.trigger == left.map { .rule(text, count: $0) }, "\(text)")
        }
    }

    @Test("What fires once keeps its date, and is gone where that is before the start")
    func once() throws {
        let claimed = try Self.claimed(.at(Self.now), due: "2026-11-22 09:00:00", boot: 77)
        for start in ["2026-01-01 00:00:00", "2026-11-22 09:00:00"] {
            let carried = try #require(try Self.carried(claimed, to: start))
            #expect(carried.due.wall == claimed.due.wall && carried.due.boot == nil)
        }
        #expect(try Self.carried(claimed, to: "2026-11-22 09:00:01") == nil)
    }

    @Test("An end that is over before the start ends the request; what has no date stays without")
    func bounds() throws {
        let until = try instant("2026-11-25 00:00:00")
        for text in ["day at 9", "24h"] {
            let claimed = try Self.claimed(
                .rule(text, until: until), due: "2026-11-22 09:00:00")
            #expect(try Self.carried(claimed, to: "2026-11-25 00:00:00") == nil)
            #expect(try Self.carried(claimed, to: "2026-11-24 00:00:00") != nil)
        }
        var never = try Self.claimed(nil, due: "2026-11-22 09:00:00")
        never.due = .never
        #expect(try Self.carried(never, to: "2027-01-01 00:00:00")?.due == .never)
    }

    @Test("What was skipped stays skipped up to the date after it")
    func skipped() throws {
        let claimed = try Self.claimed(
            .rule("every day at 09:00"), due: "2026-11-24 09:00:00",
            skipped: "2026-11-23 09:00:00")
        for start in ["2026-01-01 00:00:00", "2026-11-22 12:00:00", "2026-11-24 09:00:00"] {
            #expect(try Self.carried(claimed, to: start)?.due.wall == claimed.due.wall)
        }
        #expect(
            try Self.carried(claimed, to: "2026-11-24 09:00:01")?.due.wall
                == (try instant("2026-11-25 09:00:00")))
    }
}

@Suite("The dates of a request, one after another")
struct FireScheduleDatesTests {
    private static let berlin = "Europe/Berlin"

    @Test("Each date follows from the one before it, and what was missed is counted")
    func dates() throws {
        let first = try instant("2026-11-22 08:00:00")
        let end = try instant("2026-11-25 08:00:00")
        for (trigger, count) in [
            (NotificationTrigger.rule("day at 9"), 3), (EngineTimeTests.daily(at: 9), 3),
            (.interval(seconds: 43_200, repeats: true), 6), (.rule("12h"), 6),
            (.interval(seconds: 43_200, repeats: false), 0), (.at(first), 0), (.push, 0),
            (.rule("day at 9", until: first), 0), (.rule("day at 9", count: 1), 0),
        ] {
            let missed = FireSchedule.dates(
                of: trigger, after: first, through: end, timeZone: Self.berlin)
            #expect(missed == count, "\(trigger)")
        }
        #expect(
            FireSchedule.date(of: .rule("day at 9"), after: first, timeZone: Self.berlin)
                == (try instant("2026-11-23 08:00:00")))
    }

    @Test("The zone is the rule's or the components' own, else the person's")
    func zones() {
        var components = CalendarComponents()
        components.hour = 9
        func zone(_ trigger: NotificationTrigger?) -> String {
            FireSchedule.timeZone(of: trigger, person: Self.berlin)
        }
        #expect(zone(.calendar(components, repeats: true)) == Self.berlin)
        components.timeZone = "Asia/Tokyo"
        #expect(zone(.calendar(components, repeats: true)) == "Asia/Tokyo")
        #expect(zone(.rule("day at 9", zone: "Asia/Tokyo")) == "Asia/Tokyo")
        #expect(zone(.rule("calendar 9:00 Asia/Tokyo")) == "Asia/Tokyo")
        #expect(zone(.rule("day at 9")) == Self.berlin)
        #expect(zone(nil) == Self.berlin && zone(.push) == Self.berlin)
    }

    @Test("A shift is told for the date that is shifted alone")
    func shifts() throws {
        let gap = try instant("2027-03-28 01:00:00")
        let day = gap.adding(hours: 24)
        func shift(_ trigger: NotificationTrigger?, _ date: Instant) -> String? {
            FireSchedule.shift(of: trigger, at: date, timeZone: Self.berlin)
        }
        #expect(shift(.rule("day at 2:30"), gap)?.contains("does not exist") == true)
        #expect(shift(.rule("day at 2:30"), day) == nil)
        #expect(shift(.rule("day at 3"), gap) == nil)
        #expect(shift(.at(gap), gap) == nil && shift(nil, gap) == nil)
        var last = CalendarComponents()
        (last.day, last.hour) = (31, 8)
        let missing = try instant("2026-11-30 23:00:00")
        #expect(shift(.calendar(last, repeats: true), missing) == "the month has no day 31")
    }
}
