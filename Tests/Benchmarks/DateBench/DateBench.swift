import Foundation
import NotificationModel
import NotificationSchedule

/// Measures how long our code and Foundation take to find the next date.
///
/// DateBench [QUESTIONS]
///
/// The benchmark asks each question five times and keeps the fastest answer. So a worst case
/// shows the cost of a question, and not the load of the machine. Foundation gets only the first
/// questions, because it is slow.
///
/// Prints one line for each row, with tabs between the fields: the name, our median and worst time,
/// Foundation's median and worst time (all in microseconds), and the ratio of the medians. Both
/// medians are over Foundation's questions; our worst time is over all questions.
@main
struct DateBench {
    static let rows: [(name: String, fields: [String: Int])] = [
        ("daily at 8:30", ["hour": 8, "minute": 30]),
        ("Mondays at 9", ["weekday": 2, "hour": 9]),
        ("each hour at :30", ["minute": 30]),
        ("the 31st at 8", ["day": 31, "hour": 8]),
        ("24 December", ["month": 12, "day": 24, "hour": 18]),
        ("first Monday of the month", ["weekday": 2, "weekdayOrdinal": 1, "hour": 10]),
        ("fifth Monday of the month", ["weekday": 2, "weekdayOrdinal": 5, "hour": 10]),
        ("29 February", ["month": 2, "day": 29, "hour": 8]),
        ("Friday 13th", ["day": 13, "weekday": 6]),
        ("Monday of week 53", ["weekOfYear": 53, "weekday": 2]),
        ("Monday 29 February", ["month": 2, "day": 29, "weekday": 2]),
        ("a past year", ["year": 2020, "hour": 8]),
        ("never: 30 February", ["month": 2, "day": 30, "hour": 8]),
        ("never: week 40 in March", ["month": 3, "weekOfYear": 40, "hour": 8]),
        ("never: 6th week and 2nd weekday", ["weekOfMonth": 6, "weekdayOrdinal": 2, "hour": 8]),
    ]
    static let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]

    static func main() {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 400
        // Use ICU's zone data, so that a static link keeps it.
        _ = TimeZone.timeZoneDataVersion
        var directory = ZoneDirectory(environment: [:], files: .system, report: { print($0) })
        let rules = zones.map { directory.rulesOrUTC(named: $0) }
        let calendars = zones.map { name in
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = TimeZone(identifier: name) ?? .gmt
            return calendar
        }
        for row in rows {
            var components = CalendarComponents()
            for (name, path) in CalendarComponents.fields {
                components[keyPath: path] = row.fields[name]
            }
            let wanted = DateComponents(
                year: components.year, month: components.month, day: components.day,
                hour: components.hour, minute: components.minute, weekday: components.weekday,
                weekdayOrdinal: components.weekdayOrdinal, weekOfMonth: components.weekOfMonth,
                weekOfYear: components.weekOfYear)
            let ours = measure(count) { question in
                let found = NextDate.find(
                    matching: components, after: instant(question),
                    in: rules[question % rules.count])
                return found?.microseconds ?? 0
            }
            let theirs = measure(min(count, max(8, count / 20))) { question in
                let date = Date(timeIntervalSince1970: instant(question).secondsSince1970)
                let found = calendars[question % calendars.count].nextDate(
                    after: date, matching: wanted, matchingPolicy: .nextTime)
                return Int64(found?.timeIntervalSince1970 ?? 0)
            }
            let figures = [
                median(ours.prefix(theirs.count)), worst(ours), median(theirs[...]), worst(theirs),
            ]
            let texts = figures.map { String(format: "%.2f", $0) }
            let ratio = String(format: "%.4f", figures[0] / figures[2])
            print(([row.name] + texts + [ratio]).joined(separator: "\t"))
        }
    }

    /// Returns an instant in the thirty years from 2020, which have many clock changes.
    private static func instant(_ question: Int) -> Instant {
        let seconds = 1_577_836_800 + Int64(question) * 7_919 * 331 % 946_080_000
        return Instant(microseconds: seconds * 1_000_000)
    }

    private static func median(_ costs: ArraySlice<Double>) -> Double {
        costs.sorted()[costs.count / 2]
    }

    private static func worst(_ costs: [Double]) -> Double { costs.max() ?? 0 }

    /// Keeps the compiler from leaving out the measured work.
    nonisolated(unsafe) private static var sink: Int64 = 0

    /// Returns the time of each question in microseconds, in the order of the questions.
    private static func measure(_ count: Int, _ body: (Int) -> Int64) -> [Double] {
        var costs: [Double] = []
        for question in 0..<count {
            var best = Double.infinity
            for _ in 0..<5 {
                let start = nanoseconds()
                sink &+= body(question)
                best = min(best, Double(nanoseconds() - start) / 1_000)
            }
            costs.append(best)
        }
        return costs
    }

    private static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
