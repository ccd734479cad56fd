internal import CoreLocation
package import NotificationModel
internal import NotificationRuntime

extension UNNotificationTrigger {
    package func trigger() throws(NotificationError) -> NotificationTrigger {
        switch self {
        case let interval as UNTimeIntervalNotificationTrigger:
            try interval.checkInterval()
            return .interval(seconds: interval.timeInterval, repeats: repeats)
        case let calendar as UNCalendarNotificationTrigger:
            return .calendar(try .init(calendar.dateComponents), repeats: repeats)
        case let rule as RuleNotificationTrigger: return .rule(rule.rule)
        case is UNPushNotificationTrigger:
            return .push
        case let location as UNLocationNotificationTrigger:
            guard let circle = location.region as? CLCircularRegion else {
                throw NotificationError(
                    .invalidArgument,
                    "A request cannot wait for a \(type(of: location.region)): use a "
                        + "CLCircularRegion.")
            }
            return .region(NotificationRegion(circle), repeats: repeats)
        default:
            throw NotificationError(
                .invalidArgument,
                "A request cannot fire on a \(type(of: self)): use a time interval, a calendar or "
                    + "a location trigger, or a subclass of one.")
        }
    }

    /// The next date; nil if there is no later date, or the trigger is unusable.
    func nextDate(after date: Date) -> Date? {
        guard let trigger = try? trigger(),
            let now = Instant(secondsSince1970: date.timeIntervalSince1970)
        else { return nil }
        return FireDates.next(of: trigger, after: now).map(Date.init(_:))
    }

    package static func made(of trigger: NotificationTrigger) -> UNNotificationTrigger {
        switch trigger {
        case .interval(let seconds, let repeats):
            return UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
        case .calendar(let components, let repeats):
            return UNCalendarNotificationTrigger(
                dateMatching: components.dateComponents, repeats: repeats)
        case .at(let instant):
            return UNCalendarNotificationTrigger(
                dateMatching: DateComponents(instant: instant), repeats: false)
        case .rule(let rule): return RuleNotificationTrigger(rule)
        case .push:
            return UNPushNotificationTrigger(repeats: false)
        case .region(let region, let repeats):
            return UNLocationNotificationTrigger(region: region.circle, repeats: repeats)
        }
    }
}

extension UNTimeIntervalNotificationTrigger {
    fileprivate func checkInterval() throws(NotificationError) {
        guard timeInterval > 0, timeInterval.isFinite else {
            throw NotificationError(
                .invalidArgument,
                "The trigger's interval is \(timeInterval) seconds: time interval must be greater "
                    + "than 0. Use nil as the trigger to notify at once.")
        }
        guard !repeats || timeInterval >= 60 else {
            throw NotificationError(
                .invalidArgument,
                "The trigger's interval is \(timeInterval) seconds: time interval must be at least "
                    + "60 if repeating.")
        }
    }
}

extension DateComponents {
    // The command-line tool may schedule an instant; an app sees it as a full date in UTC.
    fileprivate init(instant: Instant) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        self = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .nanosecond, .timeZone, .calendar],
            from: Date(instant))
    }
}

extension Date {
    init(_ instant: Instant) {
        self.init(timeIntervalSince1970: instant.secondsSince1970)
    }
}
