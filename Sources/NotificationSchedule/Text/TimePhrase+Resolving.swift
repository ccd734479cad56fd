internal import NotificationModel

extension TimePhrase {
    private static let evening = TimeOfDay(hour: 20)

    /// The instant of day and time.
    func resolved() throws(TimeTextError) -> Instant {
        let zone = offset.map { ZoneOffsets.fixed($0.seconds) } ?? zone
        let today = zone.civilTime(at: now)
        guard let day else {
            let time = try requiredTime()
            let instant = at(time, on: today, in: zone)
            return instant > now ? instant : at(time, on: today.adding(days: 1), in: zone)
        }
        switch day.value {
        case .today:
            return at(try requiredTime(), on: today, in: zone)
        case .tonight:
            return try tonight(today, in: zone)
        case .tomorrow:
            return at(try requiredTime(), on: today.adding(days: 1), in: zone)
        case .weekday(let weekday):
            let time = try requiredTime()
            let date = today.adding(days: (weekday - today.weekday + 7) % 7)
            let instant = at(time, on: date, in: zone)
            return instant > now ? instant : at(time, on: date.adding(days: 7), in: zone)
        case .date(let year, let month, let day):
            return at(
                try requiredTime(), on: CivilTime(year: year, month: month, day: day), in: zone)
        }
    }

    private func requiredTime() throws(TimeTextError) -> TimeOfDay {
        if let time { return time.value }
        let range = day?.range ?? offset?.range ?? 0..<max(1, text.count)
        throw error(range, "The time of day is missing", "add one, such as '9:00' or '8pm'")
    }

    private func tonight(
        _ today: CivilTime, in zone: ZoneOffsets
    ) throws(TimeTextError) -> Instant {
        let time = time?.value ?? Self.evening
        if time == TimeOfDay(hour: 0) {
            return at(time, on: today.adding(days: 1), in: zone)
        }
        guard time.hour >= 17 else {
            throw error(
                self.time?.range ?? 0..<text.count, "This time is not in the evening",
                "write 'today' or 'tomorrow' in place of 'tonight'")
        }
        return at(time, on: today, in: zone)
    }

    private func at(_ time: TimeOfDay, on date: CivilTime, in zone: ZoneOffsets) -> Instant {
        let civil = CivilTime(
            year: date.year, month: date.month, day: date.day, hour: time.hour,
            minute: time.minute, second: time.second)
        return zone.instant(of: civil).adding(microseconds: Int64(time.microsecond))
    }
}
