internal import NotificationModel

extension WordRuleParser {
    static let suffixes = ["st", "nd", "rd", "th"]

    static func unit(_ word: String) -> RuleDays.Unit? {
        switch word {
        case "d", "day", "days": .day
        case "w", "week", "weeks": .week
        case "month", "months": .month
        case "y", "year", "years": .year
        default: nil
        }
    }

    /// The number of a month by its name: `january` and `jan` are 1.
    static func month(_ word: String) -> Int? {
        guard word.count >= 3 else { return nil }
        return RuleDays.months.firstIndex { $0 == word || $0.prefix(3) == word }.map { $0 + 1 }
    }

    mutating func readPattern() throws(TimeTextError) -> RuleDays {
        let start = index
        guard let first = next else { throw missing("A rule", "write one such as 'day at 9:00'") }
        if accept("other") {
            if let token = next, let unit = Self.unit(token.text) {
                index += 1
                return try days(of: unit, step: 2)
            }
            return RuleDays(days: .weekdays(try readWeekdays()), step: 2)
        }
        if let (step, unit) = readStep() {
            guard (1...Self.longestStep(unit)).contains(step) else {
                throw error(
                    range(from: start), "There is no such rule",
                    "the number goes from 1 to \(Self.longestStep(unit))")
            }
            return try days(of: unit, step: step)
        }
        if let unit = Self.unit(first.text), first.text.count > 1 {
            index += 1
            return try days(of: unit, step: 1)
        }
        if first.text == "the" || ordinal(first) != nil { return try readOrdinalRule() }
        if Self.month(first.text) != nil { return RuleDays(days: .dates(try readMonthDays())) }
        return RuleDays(days: .weekdays(try readWeekdays()))
    }

    private static func longestStep(_ unit: RuleDays.Unit) -> Int {
        switch unit {
        case .day: Limits.ruleDays.most
        case .week: Limits.ruleWeeks.most
        case .month: Limits.ruleMonths.most
        case .year: Limits.ruleYears.most
        }
    }

    /// Reads `2 weeks` or `2w`.
    ///
    /// For any other text, the result is nil, and the function reads nothing.
    private mutating func readStep() -> (Int, RuleDays.Unit)? {
        let parts = tokens[index...].prefix(2).flatMap { $0.splitAtDigits() }
        guard parts.count > 1, let step = Int(parts[0].text), let unit = Self.unit(parts[1].text)
        else { return nil }
        index += tokens[index].splitAtDigits().count > 1 ? 1 : 2
        return (step, unit)
    }

    private mutating func days(
        of unit: RuleDays.Unit, step: Int
    ) throws(TimeTextError) -> RuleDays {
        if unit == .day { return RuleDays(days: .every, step: step) }
        let example =
            switch unit {
            case .week: "week on friday"
            case .month: "month on the 1st"
            default: "year on december 24"
            }
        guard accept("on") else {
            throw missing("'on' and a day", "write which day, such as '\(example)'")
        }
        var pattern: RuleDays
        switch unit {
        case .week: pattern = RuleDays(days: .weekdays(try readWeekdays()))
        case .month: pattern = try readDaysOfMonth()
        default: pattern = try readDaysOfYear()
        }
        pattern.step = step
        return pattern
    }

    // MARK: - Weekdays

    /// Reads names, ranges such as `mon-fri`, `weekday`, `weekend`, `day`.
    private mutating func readWeekdays() throws(TimeTextError) -> UInt8 {
        try readSet("A weekday", "write one such as 'friday'", Self.weekdays)
    }

    /// Reads the next words as a set with at least one element; "and" may join the words.
    private mutating func readSet<Bits: FixedWidthInteger>(
        _ what: String, _ remedy: String, _ meaning: (String) -> Bits?
    ) throws(TimeTextError) -> Bits {
        var set: Bits = 0
        while let token = next {
            if token.text != "and" || set == 0 {
                guard let element = meaning(token.text) else {
                    if set != 0 { break }
                    throw unknown(token)
                }
                set |= element
            }
            index += 1
        }
        guard set != 0 else { throw missing(what, remedy) }
        return set
    }

    private static func weekdays(_ word: String) -> UInt8? {
        switch word {
        case "day", "days": return RuleDays.everyWeekday
        case "weekday", "weekdays": return RuleDays.workdays
        case "weekend", "weekends": return RuleDays.weekend
        default: break
        }
        let ends = word.replacing("..", with: "-").split(
            separator: "-", omittingEmptySubsequences: false)
        let days = ends.compactMap { weekday(String($0)) }
        guard days.count == ends.count, (1...2).contains(days.count) else { return nil }
        // A range may cross the week's end: 'fri-mon'.
        var set: UInt8 = 0
        for offset in 0...(days[days.count - 1] - days[0] + 7) % 7 {
            set |= 1 << UInt8((days[0] + offset) % 7)
        }
        return set
    }

    /// The number of a weekday by its name: `sunday`, `sun` and `sundays` are 0.
    private static func weekday(_ word: String) -> Int? {
        for name in [word, word.hasSuffix("s") ? String(word.dropLast()) : word] {
            if case .weekday(let day)? = PhraseDay(word: name) { return day - 1 }
        }
        return nil
    }

    // MARK: - Months

    /// The number that an ordinal means: `first`, `1st` and `1` are 1, and `last` is -1.
    private func ordinal(_ token: TimeToken) -> Int? {
        if token.text == "last" { return -1 }
        if let index = RuleDays.ordinals.firstIndex(of: token.text) { return index + 1 }
        let parts = token.splitAtDigits()
        guard let number = Int(parts.first?.text ?? ""), parts.count <= 2,
            parts.count == 1 || Self.suffixes.contains(parts[1].text)
        else { return nil }
        return number
    }

    /// Reads `1st,15th`, `last day`, `first monday`.
    private mutating func readDaysOfMonth() throws(TimeTextError) -> RuleDays {
        let start = index
        var numbers: [(value: Int, range: Range<Int>)] = []
        var isLastDay = false
        while let token = next {
            if token.text == "the" || (token.text == "and" && index > start) {
                index += 1
            } else if let number = ordinal(token) {
                index += 1
                if number == -1, accept("day") {
                    isLastDay = true
                } else {
                    numbers.append((number, token.range))
                }
            } else {
                break
            }
        }
        if !numbers.isEmpty, let token = next, let weekdays = Self.weekdays(token.text) {
            index += 1
            guard !isLastDay else {
                throw error(
                    range(from: start), "Days by number and by weekday cannot stand in one rule",
                    "make two rules")
            }
            guard weekdays != RuleDays.everyWeekday else {
                return RuleDays(days: .numbered(try checkedDays(numbers)))
            }
            let ordinals = try checked(
                numbers, in: 1...5, "The number of a weekday in a month goes from 1 to 5",
                "write 'first' to 'fifth', or 'last'")
            return RuleDays(days: .ordinal(ordinals, weekdays))
        }
        if let last = numbers.first(where: { $0.value == -1 }) {
            throw error(
                last.range, "The last what?", "write 'last day' or 'last friday'")
        }
        let days = try checkedDays(numbers)
        guard isLastDay || !days.isEmpty else {
            throw missing("A day of the month", "write one such as 'the 1st' or 'the last day'")
        }
        return RuleDays(days: .numbered(days + (isLastDay ? [-1] : [])))
    }

    private func checkedDays(
        _ numbers: [(value: Int, range: Range<Int>)]
    ) throws(TimeTextError) -> [Int] {
        try checked(
            numbers, in: 1...31, "There is no such day", "days go from 1st to 31st, or 'last day'")
    }

    /// The numbers in order, each once; -1, the last day, comes last.
    private func checked(
        _ numbers: [(value: Int, range: Range<Int>)], in limits: ClosedRange<Int>,
        _ problem: String, _ remedy: String
    ) throws(TimeTextError) -> [Int] {
        for number in numbers where number.value != -1 && !limits.contains(number.value) {
            throw error(number.range, problem, remedy)
        }
        return Set(numbers.map(\.value)).sorted { ($0 < 0 ? 99 : $0) < ($1 < 0 ? 99 : $1) }
    }

    /// Reads `first monday of month`, `last sunday of march`, `1st of month`, `24th of december`.
    private mutating func readOrdinalRule() throws(TimeTextError) -> RuleDays {
        if isMonthDay { return RuleDays(days: .dates(try readMonthDays())) }
        let start = index
        var pattern = try readDaysOfMonth()
        guard accept("of") else {
            throw missing(
                "'of month'",
                "write it as 'first monday of month', or '2 weeks on monday' for every other week")
        }
        while accept("the") || accept("each") || accept("every") {}
        if accept("month") || accept("months") { return pattern }
        pattern.months = try readMonths()
        if case .numbered(let days) = pattern.days {
            guard days == [-1] else {
                throw error(
                    range(from: start), "These days cannot be read", "write them as 'december 24'")
            }
            pattern.days = .ordinal([-1], RuleDays.everyWeekday)
        }
        return pattern
    }

    /// Whether `24th of december` or `24 december` comes next.
    private var isMonthDay: Bool {
        var rest = tokens[index...].drop { $0.text == "the" }
        guard let day = rest.popFirst(), ordinal(day) != nil else { return false }
        if rest.first?.text == "of" { rest.removeFirst() }
        return rest.first.map { Self.month($0.text) != nil } == true
    }

    private mutating func readMonths() throws(TimeTextError) -> UInt16 {
        try readSet("A month", "write 'month', or one such as 'march'") { word in
            Self.month(word).map { 1 << UInt16($0) }
        }
    }

    // MARK: - Years

    private mutating func readDaysOfYear() throws(TimeTextError) -> RuleDays {
        let first = tokens[index...].first { $0.text != "the" }
        if let first, ordinal(first) == nil, Self.month(first.text) != nil {
            return RuleDays(days: .dates(try readMonthDays()))
        }
        let pattern = try readOrdinalRule()
        guard pattern.unit == .year else {
            throw missing("A month", "write one, such as 'year on december 24'")
        }
        return pattern
    }

    /// Reads `december 24`, `24 december`, `24th of december`, and lists of such dates.
    private mutating func readMonthDays() throws(TimeTextError) -> [RuleDays.MonthDay] {
        var days: Set<RuleDays.MonthDay> = []
        while let token = next {
            if token.text == "and" || token.text == "the" {
                index += 1
                continue
            }
            let start = index
            guard Self.month(token.text) != nil || ordinal(token) != nil else { break }
            let date = try readMonthDay()
            // Check in a leap year, so that 29 February is a day.
            guard (1...CivilTime.days(inMonth: date.month, of: 2_000)).contains(date.day) else {
                throw error(
                    range(from: start), "There is no such day",
                    "\(RuleDays.months[date.month - 1]) has "
                        + "\(CivilTime.days(inMonth: date.month, of: 2_000)) days")
            }
            days.insert(date)
        }
        guard !days.isEmpty else { throw missing("A date", "write one such as 'december 24'") }
        return days.sorted()
    }

    private mutating func readMonthDay() throws(TimeTextError) -> RuleDays.MonthDay {
        let remedy = "write dates as 'december 24'"
        guard let token = next else { throw missing("A date", remedy) }
        index += 1
        if let month = Self.month(token.text) {
            _ = accept("the")
            guard let number = next, let day = ordinal(number), day > 0 else {
                throw missing("A day of the month", remedy)
            }
            index += 1
            return RuleDays.MonthDay(month: month, day: day)
        }
        _ = accept("of")
        guard let day = ordinal(token), let name = next, let month = Self.month(name.text) else {
            throw missing("A month", remedy)
        }
        index += 1
        return RuleDays.MonthDay(month: month, day: day)
    }
}
