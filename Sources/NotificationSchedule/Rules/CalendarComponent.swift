/// One element of a list in a calendar expression: a value or a range, with or without a
/// repetition.
struct CalendarComponent: Hashable {
    var start: Int
    var stop: Int?
    /// The distance between two repetitions; 0 if nothing repeats.
    var step = 0

    /// The smallest value that is at least `value`; nil if there is no such value.
    ///
    /// If days count from the month's end, `lastDay` is the month's last day; otherwise it is nil.
    func next(from value: Int, lastDay: Int?) -> Int? {
        var (first, last) = (start, stop)
        if let lastDay {
            first = lastDay + 1 - start
            last = nil
            if let stop {
                last = first
                first = lastDay + 1 - stop
            }
        }
        if first >= value { return first }
        guard step > 0 else { return nil }
        let next = first + (value - first + step - 1) / step * step
        return next <= last ?? .max ? next : nil
    }

    /// The normal form, which is the same for all ranges with the same values.
    ///
    /// A range ends on its last value, and a range with one value becomes that value.
    var normalized: CalendarComponent {
        var result = self
        if let end = result.stop, end > start, step > 0 {
            result.stop = end - (end - start) % step
        }
        if let end = result.stop, end == start || (end > start && step > 0 && start + step > end) {
            result.stop = nil
            result.step = 0
        }
        return result
    }

    static func normalized(_ list: [CalendarComponent]) -> [CalendarComponent] {
        let sorted = list.map(\.normalized).sorted {
            ($0.start, $0.stop ?? -1, $0.step) < ($1.start, $1.stop ?? -1, $1.step)
        }
        return sorted.enumerated().filter { $0.offset == 0 || sorted[$0.offset - 1] != $0.element }
            .map(\.element)
    }
}
