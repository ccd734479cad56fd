internal import NotificationModel

/// A calendar event expression of systemd, for example `Mon..Fri *-*-* 09:30:00`.
///
/// `systemd.time(7)` describes it, and `systemd-analyze calendar` evaluates it. An expression skips
/// days that a month lacks and times that a spring gap removes. If autumn repeats an hour, an
/// expression fires only in the first of the two hours, even `minutely`.
///
/// A repetition without an end may step past the end of its unit, as in systemd up to version 258.
/// For example, `*-*-1/11` means the days 1, 12 and 23. The step after 23 December is "34
/// December", which is 3 January. The search goes on from there: it passes over 1 January, and the
/// next date is 12 January.
public struct CalendarExpression: Hashable, Sendable {
    /// The parts of a date, from the largest to the smallest.
    ///
    /// Seconds are stored as microseconds.
    enum Part: Int, CaseIterable, Comparable {
        case year, month, day, hour, minute, microsecond

        static func < (left: Part, right: Part) -> Bool { left.rawValue < right.rawValue }
    }

    /// The years that an expression may name.
    ///
    /// A search stops after the last of these years.
    static let years = 1970...2199

    /// One bit for each weekday; Monday is bit 0.
    ///
    /// The value 0 stands for every day.
    var weekdays: UInt8 = 0
    /// The lists by part; an empty list stands for `*`.
    var lists: [[CalendarComponent]] = Array(repeating: [], count: Part.allCases.count)
    /// Whether days count from the end of the month.
    var isFromEnd = false
    /// The zone that the expression names.
    ///
    /// If the expression names no zone, this is nil, and the caller chooses the zone.
    public internal(set) var timeZone: String?

    init() {}

    subscript(part: Part) -> [CalendarComponent] {
        get { lists[part.rawValue] }
        set { lists[part.rawValue] = newValue }
    }

    mutating func normalize() {
        if weekdays == 0x7F { weekdays = 0 }
        for part in Part.allCases { self[part] = CalendarComponent.normalized(self[part]) }
        let everySecond = CalendarComponent(start: 0, step: 1_000_000)
        if self[.microsecond].contains(everySecond) { self[.microsecond] = [everySecond] }
        if self[.day].isEmpty { isFromEnd = false }
    }
}

extension CalendarExpression: CustomStringConvertible {
    static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// The normalized form, as `systemd-analyze calendar` prints it.
    public var description: String {
        let days = weekdays == 0 ? "" : Self.text(weekdays: weekdays) + " "
        let date =
            text(.year, width: 4) + "-" + text(.month) + (isFromEnd ? "~" : "-") + text(.day)
        let time = text(.hour) + ":" + text(.minute) + ":" + text(.microsecond)
        return days + date + " " + time + (timeZone.map { " " + $0 } ?? "")
    }

    private func text(_ part: Part, width: Int = 2) -> String {
        let list = self[part]
        if part == .microsecond, list == [CalendarComponent(start: 0, step: 1_000_000)] {
            return "*"
        }
        let unit = part == .microsecond ? 1_000_000 : 1
        return list.isEmpty
            ? "*"
            : list.map { Self.text($0, unit: unit, width: width) }.joined(separator: ",")
    }

    private static func text(_ component: CalendarComponent, unit: Int, width: Int) -> String {
        var text = number(component.start, unit: unit, width: width)
        if let stop = component.stop {
            text += ".." + number(stop, unit: unit, width: width)
            if component.step == unit { return text }
        }
        return component.step > 0
            ? text + "/" + number(component.step, unit: unit, width: 1) : text
    }

    private static func number(_ value: Int, unit: Int, width: Int) -> String {
        let whole = (value / unit).padded(width)
        return value % unit > 0 ? whole + "." + (value % unit).padded(6) : whole
    }

    /// `Mon..Wed,Fri`: three or more days in a row become a range.
    private static func text(weekdays: UInt8) -> String {
        var runs: [ClosedRange<Int>] = []
        for day in 0..<7 where weekdays & (1 << day) != 0 {
            if let last = runs.last, last.upperBound == day - 1 {
                runs[runs.count - 1] = last.lowerBound...day
            } else {
                runs.append(day...day)
            }
        }
        return runs.map { run in
            let ends = [weekdayNames[run.lowerBound], weekdayNames[run.upperBound]]
            return run.count == 1 ? ends[0] : ends.joined(separator: run.count > 2 ? ".." : ",")
        }.joined(separator: ",")
    }
}
