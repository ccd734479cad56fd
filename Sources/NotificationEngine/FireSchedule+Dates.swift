import NotificationModel
internal import NotificationSchedule

/// The dates of a request as a machine has them that is always on; pure but for the zones' files.
extension FireSchedule {
    /// The date after this one, of a request that repeats.
    static func date(
        of trigger: NotificationTrigger?, after date: Instant, timeZone: String
    ) -> Instant? {
        let reading = ClockReading(wall: date, boot: 0, bootID: "", timeZone: timeZone)
        return next(of: trigger, after: DueTime(wall: date), now: reading)?.wall
    }

    /// How many dates lie after this one and up to another instant: what was missed and merged.
    static func dates(
        of trigger: NotificationTrigger?, after date: Instant, through end: Instant,
        timeZone: String
    ) -> Int {
        var (count, last) = (0, date)
        while let next = self.date(of: trigger, after: last, timeZone: timeZone), next <= end {
            (count, last) = (count + 1, next)
        }
        return count
    }

    /// The zone by which a request is due; `person` is that of the person.
    static func timeZone(of trigger: NotificationTrigger?, person: String) -> String {
        switch trigger {
        case .calendar(let components, _): components.timeZone ?? person
        case .rule(let rule): (try? Rule(rule.text))?.timeZone ?? rule.timeZone ?? person
        default: person
        }
    }

    /// Why a date is another than the request says; nil where it is not.
    static func shift(
        of trigger: NotificationTrigger?, at date: Instant, timeZone: String
    ) -> String? {
        let before = date.adding(microseconds: -1)
        switch trigger {
        case .calendar(let components, _):
            let found = CalendarDates.date(
                matching: components, after: before, timeZone: timeZone)
            return found?.instant == date ? found?.shift?.description : nil
        case .rule(let rule):
            let zone = ZoneOffsets(SystemZones.shared.rulesOrUTC(named: timeZone))
            let found = (try? Rule(rule.text))?.next(after: before, in: zone)
            return found?.instant == date ? found?.shift?.note : nil
        default: return nil
        }
    }
}
