internal import NotificationModel

extension TimePhrase {
    private static let evening = TimeOfDay(hour: 20)

    func resolved() throws(TimeTextError) -> Occurrence {
        let zone = offset.map { ZoneRules.fixed($0.seconds) } ?? zone
        let today = zone.civilTime(at: now)
        func next(from date: CivilTime, every days: Int) throws(TimeTextError) -> Occurrence {
            let time = try requiredTime()
            let first = zone.occurrence(of: time, on: date)
            return first.instant > now
                ? first : zone.occurrence(of: time, on: date.adding(days: days))
        }
        switch day?.value {
        case nil: return try next(from: today, every: 1)
        case .today: return zone.occurrence(of: try requiredTime(), on: today)
        case .tonight: return try tonight(today, in: zone)
        case .tomorrow:
            return zone.occurrence(of: try requiredTime(), on: today.adding(days: 1))
        case .weekday(let weekday):
            return try next(
                from: today.adding(days: (weekday - today.weekday + 7) % 7), every: 7)
        case .date(let date): return zone.occurrence(of: try requiredTime(), on: date)
        }
    }

    private func requiredTime() throws(TimeTextError) -> TimeOfDay {
        if let time { return time.value }
        let range = day?.range ?? offset?.range ?? 0..<max(1, text.count)
        throw error(range, "The time of day is missing", "add one, such as '9:00' or '8pm'")
    }

    private func tonight(
        _ today: CivilTime, in zone: ZoneRules
    ) throws(TimeTextError) -> Occurrence {
        let time = time?.value ?? Self.evening
        if time == TimeOfDay(hour: 0) {
            return zone.occurrence(of: time, on: today.adding(days: 1))
        }
        guard time.hour >= 17 else {
            throw error(
                self.time?.range ?? 0..<text.count, "This time is not in the evening",
                "write 'today' or 'tomorrow' in place of 'tonight'")
        }
        return zone.occurrence(of: time, on: today)
    }
}
