import NotificationEngine
import NotificationModel
import NotificationSchedule
import StoreSupport

/// The events of the machine and its user in a year, and the expected outcomes.
enum YearPlan {
    /// The moves of the user: hours from the start of the year, and the new zone.
    private static let moves: [(hours: Int64, zone: String)] = [
        (68 * 24 + 12, "America/New_York"), (151 * 24 + 12, "Asia/Tokyo"),
        (226 * 24 + 12, "Australia/Lord_Howe"), (323 * 24 + 12, "Europe/Berlin"),
    ]
    /// The machine sleeps each night from 22:00 to 6:00 UTC.
    private static let bedtime: Int64 = 22
    private static let sleep: Int64 = 8

    /// The sleeps and the moves in their order.
    static func events(from start: Instant) -> [MachineEvent] {
        let sleeps = (0..<365).map { day in
            MachineEvent(
                at: start.adding(hours: Int64(day) * 24 + bedtime), .suspend(sleep * 3_600_000_000))
        }
        let moved = moves.map {
            MachineEvent(at: start.adding(hours: $0.hours), .timeZone($0.zone))
        }
        return (sleeps + moved).sorted { $0.instant < $1.instant }
    }

    /// Returns the expected outcomes of a request.
    static func rings(
        of request: NotificationRequest, from start: ClockReading, to end: Instant
    ) -> [YearRing] {
        var rings: [YearRing] = []
        for due in dates(of: request.trigger, from: start, to: end) {
            let fired = awake(due, from: start.wall)
            guard fired < end else { break }
            if let last = rings.last, last.fired >= due {
                rings[rings.count - 1].missed += 1
            } else {
                rings.append(YearRing(request.identifier, due: due, fired: fired))
            }
        }
        return rings
    }

    /// Returns the time at which an awake machine can show a due date.
    private static func awake(_ due: Instant, from start: Instant) -> Instant {
        let hour: Int64 = 3_600_000_000
        let bed = due.microseconds - start.microseconds - bedtime * hour
        let (day, rest) = bed.quotientAndRemainder(dividingBy: 24 * hour)
        // A request due at bedtime is still shown.
        guard bed > 0, rest > 0, rest < sleep * hour else { return due }
        return start.adding(hours: day * 24 + bedtime + sleep)
    }

    private static func dates(
        of trigger: NotificationTrigger?, from start: ClockReading, to end: Instant
    ) -> [Instant] {
        switch trigger {
        case .interval(let seconds, _):
            return Array(
                stride(
                    from: start.wall.microseconds, to: end.microseconds,
                    by: Int(seconds * 1_000_000))
            ).dropFirst().map { Instant(microseconds: $0) }
        case .calendar(let components, _):
            return walk(from: start, to: end, zone: components.timeZone) { last, zone in
                NextDate.find(
                    matching: components, after: last,
                    in: SystemZones.sample.rulesOrUTC(named: zone))
            }
        case .rule(let rule):
            guard let parsed = try? Rule(rule.text) else { return [] }
            if let length = parsed.interval {
                return dates(
                    of: .interval(seconds: length.seconds, repeats: true), from: start, to: end)
            }
            let own = parsed.timeZone ?? rule.timeZone
            let home = SystemZones.sample.rulesOrUTC(named: own ?? start.timeZone)
            let anchored = parsed.anchored(after: start.wall, in: home)
            return walk(from: start, to: end, zone: own) { last, zone in
                let zone = SystemZones.sample.rulesOrUTC(named: zone)
                return anchored.next(after: last, fired: last, in: zone)?.instant
            }
        default: return []
        }
    }

    /// Returns the dates in the trigger's own zone, or in the user's zone at that time.
    private static func walk(
        from start: ClockReading, to end: Instant, zone own: String?,
        _ next: (Instant, String) -> Instant?
    ) -> [Instant] {
        var dates: [Instant] = []
        var (last, zone) = (start.wall, own ?? start.timeZone)
        var stays: [(Int64, String)] = moves.map { ($0.hours, own ?? $0.zone) }
        stays.append((24 * 365, zone))
        for (hours, following) in stays {
            let limit = min(end, start.wall.adding(hours: hours))
            while let date = next(last, zone), date <= limit {
                dates.append(date)
                last = date
            }
            (last, zone) = (max(last, limit), following)
        }
        return dates.filter { $0 < end }
    }
}
