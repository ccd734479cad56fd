import NotificationModel
internal import NotificationStore

/// When a request is due first, and when again; pure.
enum FireSchedule {
    /// What a trigger means for a request that is added now.
    enum First: Hashable {
        case due(DueTime)
        /// Its date is over: the request is accepted, as on Apple, and never fires.
        case past
        /// It waits for a region, which nothing watches: it is kept, and does not fire by itself.
        case unmonitored
    }

    static func first(
        of trigger: NotificationTrigger?, now: ClockReading
    ) throws(NotificationError) -> First {
        switch trigger {
        case nil, .push: return .due(DueTime(wall: now.wall, boot: now.boot))
        case .at(let instant): return .due(DueTime(wall: instant))
        case .interval(let seconds, let repeats):
            try check(seconds, repeats: repeats)
            return .due(DueTime(after: Int64(microsecondsOfSeconds: seconds), now))
        case .calendar(let components, _):
            let next = CalendarDates.next(
                matching: components, after: now.wall, timeZone: now.timeZone)
            if let next { return .due(DueTime(wall: next, zone: zone(components, now))) }
            guard CalendarDates.canMatch(components, timeZone: now.timeZone) else {
                throw NotificationError(
                    .noDate,
                    "The calendar trigger can never fire: no date matches its components. Check "
                        + "their ranges and the time zone's name.")
            }
            return .past
        case .rule(let rule): return try first(of: rule, now: now)
        case .region(let region, _):
            try check(region)
            return .unmonitored
        }
    }

    /// When a request that has just fired fires again: missed repeats merge into one.
    static func next(
        of trigger: NotificationTrigger?, after due: DueTime, now: ClockReading
    ) -> DueTime? {
        switch trigger {
        case .interval(let seconds, repeats: true):
            return next(
                every: Int64(microsecondsOfSeconds: seconds), after: due, now: now)
        case .calendar(let components, repeats: true):
            return CalendarDates.nextOfAccepted(
                components, after: base(fired: due.wall, now), timeZone: now.timeZone
            ).map { DueTime(wall: $0, zone: zone(components, now), fired: due.wall) }
        case .rule(let rule): return next(of: rule, after: due, now: now)
        default: return nil
        }
    }

    /// The zone with which a date floats; nil where its components name one.
    static func zone(_ components: CalendarComponents, _ now: ClockReading) -> String? {
        components.timeZone == nil ? now.timeZone : nil
    }

    /// The length of a snooze in microseconds.
    static func delay(_ seconds: Double) throws(NotificationError) -> Int64 {
        try check(seconds, repeats: false)
        return Int64(microsecondsOfSeconds: seconds)
    }

    static func next(
        every period: Int64, after due: DueTime, now: ClockReading
    ) -> DueTime {
        // A row from before a reboot has only its wall time; from here on it counts on this boot.
        let late =
            due.boot.map { now.boot.saturatingSubtract($0) }
            ?? now.wall.microseconds(since: due.wall)
        let period = min(max(period, 1), Limits.interval.range.upperBound * 1_000_000)
        return DueTime(after: period - (late % period + period) % period, now)
    }

    private static func check(_ region: NotificationRegion) throws(NotificationError) {
        guard region.isValid else {
            throw NotificationError(
                .invalidArgument,
                "The region \(region.identifier.quotedForMessage()) cannot be used: it must have a "
                    + "latitude from -90 to 90, a longitude from -180 to 180 and a radius above 0.")
        }
        guard region.onEntry || region.onExit else {
            throw NotificationError(
                .invalidArgument,
                "The region \(region.identifier.quotedForMessage()) can never fire: neither "
                    + "entering nor leaving counts. Set notifyOnEntry or notifyOnExit.")
        }
    }

    /// Fails where a length of time cannot be used.
    static func check(_ seconds: Double, repeats: Bool) throws(NotificationError) {
        guard Limits.interval.contains(seconds), seconds > 0 else {
            throw NotificationError(
                .invalidArgument,
                "The time interval \(seconds) cannot be used: it must be greater than 0 seconds "
                    + "and at most 1,000 years.")
        }
        guard !repeats || Limits.repeatedInterval.contains(seconds) else {
            throw NotificationError(
                .invalidArgument,
                "The time interval \(seconds) cannot repeat: it must be at least 60 seconds if "
                    + "repeating.")
        }
    }
}
