import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@Suite("A virtual clock")
struct VirtualClockTests {
    private static let minute: Int64 = 60_000_000
    private let clock = VirtualClock(.sample())
    private let heard = Recording<ClockEvent>()

    init() {
        clock.start { [heard] in heard.append($0) }
    }

    private var start: Instant { ClockReading.sample().wall }

    @Test
    func `the virtual clock stands still until a test advances it, and then both readings advance`()
    {
        #expect(clock.now() == .sample())
        clock.advance(microseconds: Self.minute)
        #expect(clock.now().wall == start.adding(microseconds: Self.minute))
        #expect(clock.now().boot == ClockReading.sample().boot + Self.minute)
        clock.advance(to: start)
        #expect(
            clock.now().wall == start.adding(microseconds: Self.minute), "the clock never goes back"
        )
        #expect(heard.all.isEmpty)
    }

    @Test
    func `an alarm rings once, at its time, and at once if its time has passed`() {
        clock.arm(ClockAlarms(wall: start.adding(microseconds: Self.minute)))
        clock.advance(microseconds: Self.minute - 1)
        #expect(heard.all.isEmpty)
        clock.advance(microseconds: 1)
        clock.advance(microseconds: Self.minute)
        #expect(heard.all == [.alarm])
        #expect(clock.alarms == ClockAlarms())
        clock.arm(ClockAlarms(wall: start, boot: 0))
        #expect(heard.all == [.alarm, .alarm, .alarm])
    }

    @Test
    func `the next alarm is the earlier alarm of the two clocks, as a time of the wall clock`() {
        #expect(clock.nextAlarm == nil)
        let boot = clock.now().boot + Self.minute
        clock.arm(ClockAlarms(wall: start.adding(microseconds: 2 * Self.minute), boot: boot))
        #expect(clock.nextAlarm == start.adding(microseconds: Self.minute))
        clock.setWall(start.adding(microseconds: -Self.minute))
        #expect(
            clock.nextAlarm == start,
            "setting the wall clock leaves the boot-time alarm a minute ahead")
        clock.arm(ClockAlarms(wall: start.adding(microseconds: -2), boot: boot))
        #expect(clock.nextAlarm == start.adding(microseconds: -2))
    }

    @Test
    func `an alarm due during sleep rings after the wake-up`() {
        clock.arm(ClockAlarms(wall: start.adding(microseconds: Self.minute)))
        clock.suspend(microseconds: 10 * Self.minute)
        #expect(clock.now().wall == start.adding(microseconds: 10 * Self.minute))
        #expect(clock.now().boot == ClockReading.sample().boot + 10 * Self.minute)
        #expect(heard.all == [.alarm])
        clock.arm(ClockAlarms(wall: start.adding(microseconds: 11 * Self.minute)))
        clock.suspend(microseconds: 10 * Self.minute, isTold: true)
        #expect(heard.all == [.alarm, .resumed])
        clock.advance(microseconds: 0)
        #expect(heard.all == [.alarm, .resumed, .alarm])
    }

    @Test
    func `a set clock, a new zone and new zone rules are reported, and passed alarms ring`() {
        clock.arm(ClockAlarms(wall: start.adding(microseconds: Self.minute)))
        clock.setWall(start.adding(microseconds: 5 * Self.minute))
        clock.setTimeZone("Asia/Tokyo")
        clock.exchangeZoneData()
        #expect(heard.all == [.wallClockSet, .alarm, .timeZoneChanged, .zoneDataChanged])
        #expect(clock.now().timeZone == "Asia/Tokyo")
        #expect(clock.now().boot == ClockReading.sample().boot)
    }

    @Test
    func `a reboot ends the alarms, and the boot-time clock begins again`() {
        clock.arm(ClockAlarms(wall: start.adding(microseconds: Self.minute)))
        clock.reboot(offFor: 10 * Self.minute, bootID: "second-boot")
        #expect(heard.all.isEmpty)
        #expect(clock.nextAlarm == nil)
        let now = clock.now()
        #expect(now.bootID == "second-boot" && now.boot < Self.minute)
        #expect(now.wall == start.adding(microseconds: 10 * Self.minute))
    }
}
