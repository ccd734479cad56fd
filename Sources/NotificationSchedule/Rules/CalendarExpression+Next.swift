public import NotificationModel

extension CalendarExpression {
    /// The first date after an instant in a zone; nil if no date follows up to the year 2199.
    ///
    /// If the expression has a `timeZone`, pass the rules of that zone.
    public func next(after instant: Instant, in zone: ZoneRules) -> Occurrence? {
        let start = max(instant.adding(microseconds: 1), Instant(microseconds: 0))
        var search = CalendarSearch(expression: self, zone: zone, start: start)
        return search.first().map { Occurrence(instant: $0) }
    }
}

extension CalendarExpression {
    /// The parts of a local time, from the largest to the smallest.
    static func values(_ civil: CivilTime, _ fraction: Int) -> [Int] {
        [
            civil.year, civil.month, civil.day, civil.hour, civil.minute,
            civil.second * 1_000_000 + fraction,
        ]
    }
}

/// Searches local time for the next date, from the largest part of a date to the smallest.
///
/// The search finds the same date as systemd, or nil after the last year that an expression may
/// name.
private struct CalendarSearch {
    typealias Part = CalendarExpression.Part

    let expression: CalendarExpression
    let zone: ZoneRules
    let start: Instant
    /// The parts of the time that the search has reached.
    ///
    /// A part may exceed its range: hour 24 is the first hour of the next day.
    var values: [Int]

    init(expression: CalendarExpression, zone: ZoneRules, start: Instant) {
        self.expression = expression
        self.zone = zone
        self.start = start
        values = CalendarExpression.values(zone.civilTime(at: start), Int(start.fraction))
    }

    private enum Step {
        case found, again, end
    }

    mutating func first() -> Instant? {
        while true {
            values = existing(values)
            switch step() {
            case .found: return instant()
            case .again: continue
            case .end: return nil
            }
        }
    }

    private mutating func step() -> Step {
        for part in Part.allCases {
            guard let value = match(part) else {
                guard let larger = Part(rawValue: part.rawValue - 1) else { return .end }
                return advance(larger)
            }
            if value != self[part] {
                self[part] = value
                reset(below: part)
            }
            guard self[.year] <= CalendarExpression.years.upperBound else { return .end }
            guard exists() else { return .again }
            if part == .day, !isRightWeekday { return advance(.day) }
        }
        return .found
    }

    private func match(_ part: Part) -> Int? {
        let list = expression[part]
        guard !list.isEmpty else { return self[part] }
        let countsFromEnd = part == .day && expression.isFromEnd
        let lastDay =
            countsFromEnd ? CivilTime.days(inMonth: self[.month], of: self[.year]) : nil
        return list.compactMap { $0.next(from: self[part], lastDay: lastDay) }.min()
    }

    private mutating func advance(_ part: Part) -> Step {
        self[part] += 1
        reset(below: part)
        return .again
    }

    private mutating func reset(below part: Part) {
        for smaller in Part.allCases where smaller > part { self[smaller] = Self.minimum(smaller) }
    }

    /// Whether the reached time exists.
    ///
    /// If not, the search moves to the next time that exists: 30 February becomes 1 March. As in
    /// systemd, the part right below the largest changed part gets its minimum: the day, if the
    /// month changed. Smaller parts do not get their minimum.
    private mutating func exists() -> Bool {
        let real = existing(values)
        guard let changed = Part.allCases.first(where: { real[$0.rawValue] != self[$0] }) else {
            return true
        }
        values = real
        if let below = Part(rawValue: changed.rawValue + 1) { self[below] = Self.minimum(below) }
        return false
    }

    private var isRightWeekday: Bool {
        // CivilTime counts from Sunday = 1, the bits from Monday = 0.
        expression.weekdays == 0
            || expression.weekdays & (1 << ((Self.civil(values).weekday + 5) % 7)) != 0
    }

    /// The instant of the time that the search has reached.
    ///
    /// If the clocks show this time twice, the result is the earliest pass that is not before
    /// `start`.
    private func instant() -> Instant {
        let civil = Self.civil(values)
        let fraction = Int64(self[.microsecond] % 1_000_000)
        let passes = zone.instants(ofWallClock: civil.seconds).map {
            Instant(seconds: $0).adding(microseconds: fraction)
        }
        return passes.first { $0 >= start } ?? passes.last ?? zone.instant(of: civil)
    }

    /// The same time, with all parts within their ranges.
    ///
    /// A time in a gap becomes the gap's end.
    private func existing(_ values: [Int]) -> [Int] {
        let civil = CivilTime(seconds: Self.civil(values).seconds)
        let fraction = values[Part.microsecond.rawValue] % 1_000_000
        let gap = zone.occurrence(of: civil).shift
        return gap.map { CalendarExpression.values($0.gapEnd, 0) }
            ?? CalendarExpression.values(civil, fraction)
    }

    private subscript(part: Part) -> Int {
        get { values[part.rawValue] }
        set { values[part.rawValue] = newValue }
    }

    private static func minimum(_ part: Part) -> Int {
        part == .month || part == .day ? 1 : 0
    }

    private static func civil(_ values: [Int]) -> CivilTime {
        let month = values[1] - 1
        return CivilTime(
            year: values[0] + month / 12, month: month % 12 + 1, day: values[2], hour: values[3],
            minute: values[4], second: values[5] / 1_000_000)
    }
}
