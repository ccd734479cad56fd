internal import NotificationModel

extension CalendarParser {
    /// Reads a date if the text has one.
    ///
    /// Returns true for a time stamp (`@1790000000`), because no time may follow it.
    mutating func readDate() throws(TimeTextError) -> Bool {
        if cursor.isAtEnd { return false }
        if cursor.accept("@") {
            try readTimeStamp()
            return true
        }
        let start = cursor.position
        var lists = [try readList(.month)]
        if cursor.isAtEnd || cursor.next == ":" {
            cursor.position = start
            return false
        }
        try readDateSeparator()
        let middle = cursor.position
        lists.append(try readList(.day))
        if !cursor.isAtEnd, cursor.next != " " {
            guard !result.isFromEnd else {
                throw cursor.error(
                    middle - 1..<middle, "'~' can only stand right before the day",
                    "write it after the month, such as '*-02~01'")
            }
            try readDateSeparator()
            lists.append(try readList(.day))
            guard cursor.isAtEnd || cursor.next == " " else {
                throw unexpected("after the day", "a blank and a time may follow, such as ' 9:30'")
            }
        }
        for (part, list) in zip([Part.year, .month, .day].suffix(lists.count), lists) {
            result[part] = try checked(list, part)
        }
        cursor.skipBlanks()
        return false
    }

    private mutating func readDateSeparator() throws(TimeTextError) {
        if cursor.accept("~") {
            result.isFromEnd = true
        } else if !cursor.accept("-") {
            throw unexpected(
                "in a date", "write dates as 'year-month-day', such as '*-12-24', times as '18:00'")
        }
    }

    mutating func readTime() throws(TimeTextError) {
        result[.microsecond] = [CalendarComponent(start: 0)]
        if cursor.isAtEnd {
            result[.hour] = [CalendarComponent(start: 0)]
            result[.minute] = [CalendarComponent(start: 0)]
            return
        }
        result[.hour] = try checked(readList(.hour), .hour)
        guard cursor.accept(":") else {
            throw unexpected("in a time", "write times as 'hour:minute', such as '9:30'")
        }
        result[.minute] = try checked(readList(.minute), .minute)
        if cursor.accept(":") {
            result[.microsecond] = try checked(readList(.microsecond), .microsecond)
        }
        guard cursor.isAtEnd else {
            throw unexpected(
                "after the time", "a blank and a time zone may follow, such as ' Europe/Berlin'")
        }
    }

    private mutating func readTimeStamp() throws(TimeTextError) {
        let start = cursor.position
        let digits = cursor.digits()
        guard let seconds = Int64(digits), cursor.isAtEnd else {
            throw cursor.error(
                start - 1..<cursor.end, "After '@' a number of seconds since 1970 was expected",
                "write one such as '@1790000000'")
        }
        // A larger number could overflow, so a time in the year 5138 replaces it.
        let civil = CivilTime(seconds: min(seconds, 99_999_999_999))
        guard CalendarExpression.years.contains(civil.year) else {
            throw cursor.error(
                start - 1..<cursor.end, "This time lies beyond the year 2199",
                "write an earlier one")
        }
        result.timeZone = "UTC"
        result.lists = CalendarExpression.values(civil, 0).map { [CalendarComponent(start: $0)] }
    }

    private func unexpected(_ place: String, _ remedy: String) -> TimeTextError {
        let range = cursor.restOfWord
        guard !range.isEmpty, range.lowerBound < cursor.end else {
            return cursor.error(
                cursor.position..<cursor.position + 1, "Something is missing \(place)", remedy)
        }
        let word = cursor.word()
        if ["am", "pm"].contains(word) {
            return cursor.error(
                range, "Calendar expressions have no 'am' and 'pm'", "write '20:00' for 8 pm")
        }
        return cursor.error(range, "\(cursor.quoted(range)) cannot stand \(place)", remedy)
    }
}

// MARK: - Lists

extension CalendarParser {
    typealias List = [(component: CalendarComponent, place: Range<Int>)]

    private mutating func readList(_ part: Part) throws(TimeTextError) -> List {
        let isSecond = part == .microsecond
        if cursor.accept("*") {
            let place = cursor.position - 1..<cursor.position
            return isSecond ? [(CalendarComponent(start: 0, step: 1_000_000), place)] : []
        }
        var list: List = []
        repeat {
            list.append(try readComponent(isSecond: isSecond))
            guard Limits.ruleList.contains(list.count) else {
                throw cursor.error(
                    cursor.restOfWord, "This list has more than \(Limits.ruleList.most) elements",
                    "use ranges such as '1..5' and repetitions such as '0/15'")
            }
        } while cursor.accept(",")
        return list
    }

    private mutating func readComponent(
        isSecond: Bool
    ) throws(TimeTextError) -> (component: CalendarComponent, place: Range<Int>) {
        let place = cursor.position
        let unit = isSecond ? 1_000_000 : 1
        var component = CalendarComponent(start: try readNumber(isSecond: isSecond))
        if cursor.accept("..") {
            component.stop = try readNumber(isSecond: isSecond)
            component.step = unit
        }
        if cursor.accept("/") {
            let start = cursor.position
            component.step = try readNumber(isSecond: isSecond)
            guard component.step > 0 else {
                throw cursor.error(
                    start..<cursor.position, "A step of zero repeats nothing",
                    "write at least 1\(isSecond ? " or 0.000001" : "")")
            }
        } else if isSecond, let stop = component.stop, component.start <= stop,
            component.start + unit > stop
        {
            throw cursor.error(
                place..<cursor.position, "This range is shorter than its steps of one second",
                "add the step, such as '0..0.9/0.3'")
        }
        if let following = cursor.next, !" ,-~:".contains(following) {
            throw unexpected(
                "after a number", "write lists as '1,3', ranges as '1..5', repetitions as '0/15'")
        }
        return (component, place..<cursor.position)
    }

    private mutating func readNumber(isSecond: Bool) throws(TimeTextError) -> Int {
        let start = cursor.position
        let digits = cursor.digits()
        guard !digits.isEmpty else { throw numberExpected() }
        var value = digits.count <= 9 ? Int(digits) ?? .max : .max
        if isSecond, value < 100_000 {
            value *= 1_000_000
            if cursor.next == ".", cursor.peek(1) != "." {
                cursor.position += 1
                let fraction = cursor.digits()
                guard !fraction.isEmpty else { throw numberExpected() }
                value += Self.microseconds(fraction)
            }
        }
        guard value <= Int(Int32.max) else {
            throw cursor.error(
                start..<cursor.position,
                "The number \(cursor.quoted(start..<cursor.position)) is "
                    + "too large", "write one within the range of its unit")
        }
        return value
    }

    private func numberExpected() -> TimeTextError {
        let range = cursor.restOfWord
        if range.isEmpty || cursor.isAtEnd {
            return cursor.error(
                cursor.position..<cursor.position + 1, "A number or '*' was expected here",
                "write one such as '9', '*' or '1..5'")
        }
        let word = cursor.word()
        let place = cursor.position..<cursor.position + word.count
        if Self.isShorthand(word) { return nameWithOthers(place) }
        if Self.words.contains(word) {
            return cursor.error(
                place,
                "A number or '*' was expected in place of the weekday \(cursor.quoted(place))",
                "write weekdays first, joined by commas: 'Mon,Wed 9:30'")
        }
        return cursor.error(
            range, "A number or '*' was expected in place of \(cursor.quoted(range))",
            "write dates as '*-12-24' and times as '18:00'")
    }

    /// A fraction of a second, rounded to microseconds as systemd rounds it.
    private static func microseconds(_ digits: String) -> Int {
        let padded = Int((digits + "000000").prefix(6)) ?? 0
        let following = digits.dropFirst(6).first
        return padded + (following.map { $0 >= "5" } == true ? 1 : 0)
    }

    /// Checks a list, and completes years of two digits.
    ///
    /// - Throws: `TimeTextError` if an element is outside the part's range, is a range that runs
    ///   backwards, or has a step so large that no second value follows.
    private func checked(_ list: List, _ part: Part) throws(TimeTextError) -> [CalendarComponent] {
        try list.map { element throws(TimeTextError) in
            let component = part == .year ? Self.fullYears(element.component) : element.component
            let (low, high) = Self.limits(part, isFromEnd: result.isFromEnd)
            let tested = component.normalized
            let values = [tested.start, tested.stop].compactMap(\.self)
            guard values.allSatisfy({ low <= $0 && $0 <= high }) else {
                throw outOfRange(part, element.place, low, high)
            }
            let last =
                part == .day && result.isFromEnd && tested.stop == nil
                ? tested.start - tested.step >= low
                : tested.start + tested.step <= tested.stop ?? high
            guard tested.step <= high - low, last else {
                throw Self.emptyRange(tested, element.place, cursor)
            }
            return component
        }
    }

    private static func emptyRange(
        _ component: CalendarComponent, _ place: Range<Int>, _ cursor: TextCursor
    ) -> TimeTextError {
        if let stop = component.stop, stop < component.start {
            return cursor.error(
                place, "This range runs backwards", "write the smaller number first")
        }
        return cursor.error(
            place, "This step is too large to repeat", "write a smaller step, or leave it out")
    }

    /// Completes years of two digits: `12` is 2012, and `89` is 1989.
    private static func fullYears(_ component: CalendarComponent) -> CalendarComponent {
        func full(_ year: Int) -> Int {
            year < 70 ? year + 2_000 : year < 100 ? year + 1_900 : year
        }
        var result = component
        result.start = full(component.start)
        result.stop = component.stop.map(full)
        return result
    }

    private static func limits(_ part: Part, isFromEnd: Bool) -> (Int, Int) {
        switch part {
        case .year:
            (CalendarExpression.years.lowerBound, CalendarExpression.years.upperBound)
        case .month: (1, 12)
        // Every month has at least 28 days.
        case .day: (1, isFromEnd ? 28 : 31)
        case .hour: (0, 23)
        case .minute: (0, 59)
        case .microsecond: (0, 59_999_999)
        }
    }

    private func outOfRange(
        _ part: Part, _ place: Range<Int>, _ low: Int, _ high: Int
    ) -> TimeTextError {
        let (noun, remedy) =
            switch part {
            case .year: ("year here", "years go from \(low) to \(high)")
            case .month: ("month", "months go from 1 to 12; a date is year-month-day")
            case .day where result.isFromEnd:
                ("day of the month", "days from the end of the month go from 1 to 28")
            case .day: ("day of the month", "days go from 1 to 31")
            case .hour: ("hour", "hours go from 0 to 23")
            case .minute: ("minute", "minutes go from 0 to 59")
            case .microsecond: ("second", "seconds go from 0 to 59")
            }
        return cursor.error(place, "There is no such \(noun)", remedy)
    }
}
