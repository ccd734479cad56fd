internal import Foundation
internal import NotificationEngine
public import NotificationModel

/// When a trigger fires next; pure but for the person's zone.
public enum FireDates {
    /// The first date after this instant, or nil where there is none.
    public static func next(of trigger: NotificationTrigger, after instant: Instant) -> Instant? {
        switch trigger {
        case .interval(let seconds, _):
            return Instant(secondsSince1970: instant.secondsSince1970 + seconds)
        case .at(let date): return date > instant ? date : nil
        case .calendar(let components, _):
            return CalendarDates.next(
                matching: components, after: instant, timeZone: personsZone)
        case .rule(let rule):
            return RuleDates.next(rule, after: instant, timeZone: personsZone)
        case .push, .region: return nil
        }
    }

    private static var personsZone: String {
        CalendarDates.personsZone(environment: ProcessInfo.processInfo.environment)
    }
}
