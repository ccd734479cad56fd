import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("When a request is due")
struct FireScheduleTests {
    let now = ClockReading.sample()

    @Test
    func `a request without a trigger is due now, on both clocks`() throws {
        #expect(
            try FireSchedule.sample.first(of: nil, now: now)
                == .due(DueTime(wall: now.wall, boot: now.boot)))
        #expect(
            try FireSchedule.sample.first(of: .push, now: now)
                == .due(DueTime(wall: now.wall, boot: now.boot)))
    }

    @Test
    func `an interval uses the boot-time clock and is rounded up to a microsecond`() throws {
        let first = try FireSchedule.sample.first(
            of: .interval(seconds: 1.0000001, repeats: false), now: now)
        #expect(
            first
                == .due(
                    DueTime(
                        wall: now.wall.adding(microseconds: 1_000_001), boot: now.boot + 1_000_001))
        )
    }

    @Test
    func `a late repeat keeps its regular dates, and missed dates are merged into one date`() {
        let minute: Int64 = 60_000_000
        let due = DueTime(wall: now.wall, boot: now.boot)
        for late in [0, 1, minute - 1, minute, 10 * minute + 5] as [Int64] {
            let later = ClockReading.sample(
                wall: now.wall.adding(microseconds: late), boot: now.boot + late)
            let next = FireSchedule.sample.next(
                of: .interval(seconds: 60, repeats: true), after: due, now: later)
            let wanted = now.boot + (late / minute + 1) * minute
            #expect(next?.boot == wanted, "\(late) late")
            #expect(next?.wall == now.wall.adding(microseconds: wanted - now.boot))
        }
    }

    @Test
    func `after a reboot a repeat keeps its wall-clock dates, and uses the new boot's clock`() {
        let later = ClockReading.sample(
            wall: now.wall.adding(microseconds: 150_000_000), boot: 20_000_000)
        let next = FireSchedule.sample.next(
            of: .interval(seconds: 60, repeats: true), after: DueTime(wall: now.wall), now: later)
        #expect(next?.boot == 50_000_000)
        #expect(next?.wall == now.wall.adding(microseconds: 180_000_000))
    }

    @Test
    func `a clock that was set back does not make an interval wait longer than its length`() {
        let earlier = ClockReading.sample(
            wall: now.wall.adding(microseconds: -86_400_000_000), boot: now.boot)
        let next = FireSchedule.sample.next(
            of: .interval(seconds: 60, repeats: true), after: DueTime(wall: now.wall), now: earlier)
        #expect(next.map { (1...60_000_000).contains(($0.boot ?? 0) - now.boot) } == true)
    }

    @Test
    func `a calendar repeat never fires at or before the occurrence that just fired`() throws {
        var nine = CalendarComponents()
        nine.hour = 9
        let fired = try instant("2026-11-21 09:00:00")
        for text in ["2026-11-21 09:00:00", "2026-11-21 08:59:59", "2026-11-20 03:00:00"] {
            let next = FireSchedule.sample.next(
                of: .calendar(nine, repeats: true), after: DueTime(wall: fired),
                now: .sample(wall: try instant(text)))
            #expect(next?.wall == (try instant("2026-11-22 09:00:00")), "asked at \(text)")
        }
        let late = FireSchedule.sample.next(
            of: .calendar(nine, repeats: true), after: DueTime(wall: fired),
            now: .sample(wall: try instant("2026-11-25 10:00:00")))
        #expect(late?.wall == (try instant("2026-11-26 09:00:00")))
    }

    @Test
    func `a one-shot request does not fire again`() {
        for trigger: NotificationTrigger? in [
            nil, .push, .at(now.wall), .interval(seconds: 60, repeats: false),
        ] {
            #expect(
                FireSchedule.sample.next(of: trigger, after: DueTime(wall: now.wall), now: now)
                    == nil)
        }
    }

    @Test
    func `a past date is distinguished from a date that never comes`() throws {
        var past = CalendarComponents()
        (past.year, past.month, past.day) = (2020, 1, 1)
        #expect(
            try FireSchedule.sample.first(of: .calendar(past, repeats: false), now: now) == .past)
        var never = CalendarComponents()
        (never.month, never.day) = (2, 30)
        let error = #expect(throws: NotificationError.self) {
            try FireSchedule.sample.first(of: .calendar(never, repeats: false), now: now)
        }
        #expect(error?.code == .noDate)
    }

    @Test
    func `a date follows the user's zone if the date names no zone`() throws {
        var nine = CalendarComponents()
        nine.hour = 9
        let there = ClockReading.sample(zone: "America/New_York")
        let floating = try FireSchedule.sample.first(of: .calendar(nine, repeats: true), now: there)
        #expect(
            floating
                == .due(
                    DueTime(
                        wall: try instant("2026-11-21 14:00:00"), zone: "America/New_York")))
        let due = DueTime(wall: try instant("2026-11-22 08:00:00"), zone: "Europe/Berlin")
        let moved = FireSchedule.sample.moved(.calendar(nine, repeats: true), from: due, now: there)
        #expect(moved?.wall == (try instant("2026-11-21 14:00:00")))
        nine.timeZone = "Asia/Tokyo"
        let fixed = try FireSchedule.sample.first(of: .calendar(nine, repeats: true), now: there)
        #expect(fixed == .due(DueTime(wall: try instant("2026-11-22 00:00:00"))))
        // A date that is due does not move to another zone.
        let owed = DueTime(wall: there.wall, zone: "Europe/Berlin")
        #expect(
            FireSchedule.sample.moved(.calendar(nine, repeats: true), from: owed, now: there) == nil
        )
    }

    /// It is 21:00 in Tokyo, so 16:00 of this day is past.
    @Test
    func `a request's last date keeps its time of day in a new zone, even if that time is past`()
        throws
    {
        let there = ClockReading.sample(zone: "Asia/Tokyo")
        let due = DueTime(
            wall: try instant("2026-11-21 15:00:00"), zone: "Europe/Berlin",
            fired: try instant("2026-11-20 15:00:00"))
        var date = CalendarComponents()
        (date.year, date.month, date.day, date.hour) = (2026, 11, 21, 16)
        let triggers: [NotificationTrigger] = [
            .calendar(date, repeats: false), .calendar(date, repeats: true),
            .rule(NotificationRule("calendar 2026-11-21 16:00")),
            .rule(NotificationRule("day at 16", until: due.wall)),
        ]
        for trigger in triggers {
            #expect(
                FireSchedule.sample.moved(trigger, from: due, now: there)
                    == DueTime(
                        wall: try instant("2026-11-21 07:00:00"), zone: "Asia/Tokyo",
                        fired: due.fired), "\(trigger)")
            // In the same zone, the date stays, even if the rules of the zone changed.
            let former = DueTime(wall: due.wall, zone: "Asia/Tokyo", fired: due.fired)
            #expect(FireSchedule.sample.moved(trigger, from: former, now: there) == nil)
        }
    }
}
