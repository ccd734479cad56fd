import Foundation
import NotificationModel
import NotificationSchedule
import Testing

/// The calendar arithmetic, compared with Foundation's.
@Suite struct CivilTimeTests {
    @Test func `every 13th day of eight hundred years agrees with Foundation`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        // Begin in 1600, because Foundation changes to the Julian calendar before 1582.
        for day in stride(from: Int64(-135_140), to: 157_000, by: 13) {
            let seconds = day * 86_400 + 86_399
            let civil = CivilTime(seconds: seconds)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .weekday],
                from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(civil.year == parts.year && civil.month == parts.month)
            #expect(civil.day == parts.day && civil.weekday == parts.weekday)
            #expect(civil.hour == 23 && civil.minute == 59 && civil.second == 59)
            #expect(civil.seconds == seconds)
        }
    }

    @Test func `an instant at an end of the range is written without a trap`() {
        for microseconds in [Int64.min, -1, 0, .max] {
            let instant = Instant(microseconds: microseconds)
            #expect((0..<1_000_000).contains(instant.fraction))
            for offset in [-86_399, 0, 86_399] {
                #expect(!instant.rfc3339(offset: offset).isEmpty)
            }
        }
        #expect(Instant(microseconds: -1).rfc3339(offset: 0) == "1969-12-31T23:59:59.999999+00:00")
    }

    @Test(arguments: [-2_670, -30, 0, 30, 1_172, 3_600])
    func `an instant that is written at an offset with seconds is read back`(offset: Int) {
        let instant = Instant(microseconds: -2_208_988_800_000_000)
        #expect(Instant(rfc3339: instant.rfc3339(offset: offset)) == instant)
    }

    @Test func `the system's zone has the offset of Foundation's current zone`() {
        let zone = ZoneRules.system
        let now = Instant(microseconds: 1_795_258_800_000_000)
        #expect(zone.offset(at: 1_795_258_800) == TimeZone.current.secondsFromGMT(for: now.date))
        #expect(zone.instant(of: zone.civilTime(at: now)) == now)
    }
}

extension Instant {
    fileprivate var date: Date { Date(timeIntervalSince1970: secondsSince1970) }
}
