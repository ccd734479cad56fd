/// One field of a cron expression: its elements as written, and the set of its values.
struct CronField: Hashable {
    struct Element: Hashable {
        /// The values of the element; nil for `*`.
        var range: ClosedRange<Int>?
        var step = 1
    }

    /// Messages use the raw value as the name of the field.
    enum Kind: String, CaseIterable {
        case minute, hour
        case day = "day of the month"
        case month, weekday

        /// The values that the field may have.
        ///
        /// Weekday 7 is Sunday, like 0.
        var limits: ClosedRange<Int> {
            switch self {
            case .minute: 0...59
            case .hour: 0...23
            case .day: 1...31
            case .month: 1...12
            case .weekday: 0...7
            }
        }

        var names: [String] {
            switch self {
            case .month: RuleDays.months.map { String($0.prefix(3)) }
            case .weekday: PhraseDay.weekdays.map { $0[1] }
            default: []
            }
        }
    }

    var elements: [Element]
    /// Bit n stands for value n.
    private(set) var values: UInt64
    /// Whether the field begins with `*`.
    ///
    /// If the field of the day or of the weekday begins with `*` (even `*/2`), a date must match
    /// both fields. If neither field begins with `*`, one matching field is enough.
    var isStar: Bool { elements.first?.range == nil }

    init(_ kind: Kind, _ elements: [Element]) {
        self.elements = elements
        values = 0
        for element in elements {
            let range = element.range ?? kind.limits
            for value in stride(from: range.lowerBound, through: range.upperBound, by: element.step)
            {
                values |= 1 << UInt64(kind == .weekday && value == 7 ? 0 : value)
            }
        }
    }

    func contains(_ value: Int) -> Bool { values & (1 << UInt64(value)) != 0 }

    /// The smallest value of the field that is at least `value`.
    func next(from value: Int) -> Int? {
        guard value < 64 else { return nil }
        let rest = values >> UInt64(value)
        return rest == 0 ? nil : value + rest.trailingZeroBitCount
    }

    var list: [Int] { (0..<60).filter(contains) }

    var description: String {
        elements.map { element in
            var text = "*"
            if let range = element.range {
                text = String(range.lowerBound)
                if range.count > 1 || element.step > 1 { text += "-\(range.upperBound)" }
            }
            return element.step > 1 ? text + "/\(element.step)" : text
        }.joined(separator: ",")
    }
}
