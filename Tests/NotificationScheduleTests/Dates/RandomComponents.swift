import NotificationModel
import NotificationSchedule
import TestSupport

/// Makes random calendar components.
struct RandomComponents {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Returns components close to a wall-clock time, so the next date is probably close.
    mutating func near(_ wall: Int64) -> CalendarComponents {
        let civil = CivilTime(seconds: wall)
        var components = CalendarComponents()
        switch number(0...9) {
        case 0...3: break
        case 4: components.day = number(0...2) == 0 ? number(1...31) : civil.day
        case 5: components.weekday = number(1...7)
        case 6:
            components.month = civil.month
            if number(0...1) == 0 { components.day = number(27...31) }
        case 7:
            components.weekday = civil.weekday
            components.weekdayOrdinal = (civil.day - 1) / 7 + 1
        case 8:
            if number(0...1) == 0 { components.weekOfMonth = number(1...5) }
            if components.weekOfMonth == nil { components.weekOfYear = number(1...53) }
            if number(0...1) == 0 { components.weekday = number(1...7) }
        default:
            components.year = civil.year
            if number(0...1) == 0 { components.month = civil.month }
            if number(0...1) == 0 { components.day = civil.day }
        }
        if number(0...5) == 0 { components.calendar = "iso8601" }
        if number(0...3) != 0 { components.hour = number(0...2) == 0 ? number(0...23) : civil.hour }
        if components.hour != nil ? number(0...4) != 0 : number(0...1) == 0 {
            components.minute = [0, 15, 30, 45, 59, number(0...59)][number(0...5)]
        }
        if components == CalendarComponents() { components.minute = 30 }
        return components
    }

    /// Returns arbitrary components, most of which match some date.
    mutating func any(_ wall: Int64) -> CalendarComponents {
        let civil = CivilTime(seconds: wall)
        var components = CalendarComponents()
        if number(0...2) == 0 { components.month = number(1...12) }
        if number(0...2) == 0 { components.day = number(1...31) }
        if number(0...3) == 0 { components.weekday = number(1...7) }
        if number(0...9) == 0 { components.weekdayOrdinal = number(1...5) }
        if number(0...19) == 0 { components.weekOfMonth = number(1...5) }
        if number(0...19) == 0 { components.weekOfYear = number(1...53) }
        if number(0...9) == 0 { components.year = civil.year + number(0...3) }
        if number(0...29) == 0 { components.yearForWeekOfYear = civil.year + number(0...2) }
        if number(0...3) != 0 { components.hour = number(0...23) }
        if number(0...3) != 0 { components.minute = number(0...59) }
        if number(0...9) == 0 { components.second = number(0...59) }
        if number(0...7) == 0 { components.calendar = "iso8601" }
        if !CalendarComponents.fields.contains(where: { components[keyPath: $0.path] != nil }) {
            components.hour = 9
        }
        return components
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }
}
