import Foundation
import Testing

@testable import DailyMinutes

/// The example `DailyMinutes`: its button "Got it" removes the requests of today only.
@Suite struct DailySeriesTests {
    private let calendar: Calendar
    private let series: DailySeries

    init() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        self.calendar = calendar
        series = DailySeries(
            start: DateComponents(hour: 12, minute: 34), count: 10, step: 60, calendar: calendar)
    }

    private func date(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0
    ) throws -> Date {
        try #require(
            calendar.date(
                from: DateComponents(
                    year: year, month: month, day: day, hour: hour, minute: minute)))
    }

    /// The dates of the series that remain after a press of "Got it".
    private func remaining(_ series: DailySeries, now: Date, days: Int = 3) -> [Date] {
        let pending = series.entries(after: now, days: days).map { entry in
            (identifier: entry.identifier, fires: calendar.date(from: entry.components))
        }
        let today = Set(DailySeries.ofToday(pending, now: now, calendar: calendar))
        return pending.filter { !today.contains($0.identifier) }.compactMap(\.fires)
    }

    @Test(arguments: [(2026, 1, 31), (2026, 2, 28), (2026, 4, 30), (2026, 12, 31), (2028, 2, 29)])
    func `the removal of today's requests at a month's end keeps the requests of tomorrow`(
        _ day: (year: Int, month: Int, day: Int)
    ) throws {
        let now = try date(day.year, day.month, day.day, 12, 36)
        let rest = remaining(series, now: now)
        #expect(rest.count == 20)
        let tomorrow = DailySeries.tomorrow(after: now, calendar: calendar)
        #expect(rest.min() == tomorrow.addingTimeInterval((12 * 60 + 34) * 60))
    }

    @Test func `a run during today's series adds only the later requests of today`()
        throws
    {
        let now = try date(2026, 6, 10, 12, 36)
        let entries = series.entries(after: now, days: 1)
        #expect(entries.count == 7)
        #expect(entries.first?.components.minute == 37)
        #expect(remaining(series, now: now, days: 1).isEmpty)
    }

    @Test func `the removal of today's requests in the evening keeps the requests of tomorrow`()
        throws
    {
        #expect(remaining(series, now: try date(2026, 6, 10, 20), days: 2).count == 10)
    }

    @Test
    func `each request of a series that passes midnight belongs to the day on which it fires`()
        throws
    {
        var late = series
        late.start = DateComponents(hour: 23, minute: 55)
        let before = remaining(late, now: try date(2026, 1, 31, 23, 57), days: 1)
        #expect(before.first == (try date(2026, 2, 1, 0, 0)))
        #expect(before.count == 5)
        // After midnight, the later requests of yesterday's series belong to today.
        let now = try date(2026, 2, 1, 0, 2)
        #expect(late.entries(after: now, days: 1).map(\.components.minute).prefix(3) == [3, 4, 55])
        let after = remaining(late, now: now, days: 1)
        #expect(after.first == (try date(2026, 2, 2, 0, 0)))
        #expect(after.count == 5)
    }

    @Test func `a series keeps its time of day on a day of twenty-three hours`() throws {
        let rest = remaining(series, now: try date(2026, 3, 28, 12, 40), days: 2)
        #expect(rest.first == (try date(2026, 3, 29, 12, 34)))
    }

    @Test func `a run on a silenced day adds requests only for later days`() throws {
        let now = try date(2026, 11, 30, 12, 30)
        let entries = series.entries(
            after: now, days: 2,
            silentUntil: DailySeries.tomorrow(after: now, calendar: calendar))
        #expect(entries.count == 10)
        #expect(entries.allSatisfy { $0.components.month == 12 && $0.components.day == 1 })
    }

    @Test func `a request without a date does not belong to today`() throws {
        let now = try date(2026, 6, 10)
        #expect(
            DailySeries.ofToday(
                [(identifier: "never", fires: nil)], now: now, calendar: calendar
            ).isEmpty)
    }
}
