internal import NotificationModel
internal import NotificationSchedule

/// Writes times for the user: how far away they are, and their dates in a zone.
///
/// It never reads the clock.
struct RelativeTime {
    var now: Instant
    var zone: ZoneRules

    /// `in 9 min`, `2 h ago`, `now`.
    func distance(_ instant: Instant) -> String {
        let seconds = Double(instant.microseconds(since: now)) / 1_000_000
        let length = Self.length(abs(seconds))
        if abs(seconds) < 1 { return "now" }
        return seconds > 0 ? "in \(length)" : "\(length) ago"
    }

    /// `Mon 2026-11-23 09:00:00 CET`.
    func absolute(_ instant: Instant) -> String {
        let time = zone.civilTime(at: instant)
        let zoneName = zone.localTime(at: instant.wholeSeconds).abbreviation
        return
            "\(Self.days[time.weekday - 1]) \(time.dateText) \(time.clockText) \(zoneName)"
    }

    /// `Mon 2026-11-23 09:00:00 CET (in 21 h)`.
    func full(_ instant: Instant) -> String { "\(absolute(instant)) (\(distance(instant)))" }

    /// `Mon 23 November`.
    func day(_ time: CivilTime, showsYear: Bool) -> String {
        let year = showsYear ? " \(time.year)" : ""
        return "\(Self.days[time.weekday - 1]) \(time.day) \(Self.months[time.month - 1])\(year)"
    }

    static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// A length of time such as `2 h 5 min`, in at most two units.
    ///
    /// For 10 minutes or more, the seconds are left out.
    static func length(_ seconds: Double, in language: WordingLanguage = .english) -> String {
        let whole = Int(seconds.rounded())
        let words = language.words
        let (day, hour, minute, second) = words.units
        func join(_ large: Int, _ unit: String, _ small: Int, _ smallUnit: String) -> String {
            let first = "\(large)\(unit)"
            return small > 0 ? "\(first)\(words.unitSeparator)\(small)\(smallUnit)" : first
        }
        switch whole {
        case ..<60: return "\(whole)\(second)"
        case ..<600: return join(whole / 60, minute, whole % 60, second)
        case ..<3_600: return "\(whole / 60)\(minute)"
        case ..<86_400: return join(whole / 3_600, hour, whole % 3_600 / 60, minute)
        default: return join(whole / 86_400, day, whole % 86_400 / 3_600, hour)
        }
    }

    /// When a trigger fires, in the words of `show`.
    func text(of trigger: NotificationTrigger?) -> String {
        switch trigger {
        case nil: return "now"
        case .interval(let seconds, let repeats):
            let span = Self.length(seconds)
            return repeats ? "every \(span)" : "once, after \(span)"
        case .at(let date): return "once, at \(absolute(date))"
        case .calendar(let components, let repeats):
            let parts = CalendarComponents.fields.compactMap { field in
                components[keyPath: field.path].map { "\(field.name) \($0)" }
            }
            let zone = components.timeZone.map { " in \($0)" } ?? ""
            return (repeats ? "every time at " : "once, at ") + parts.joined(separator: ", ") + zone
        case .rule(let rule):
            let zone = rule.timeZone.map { " in \($0)" } ?? ""
            let until = rule.until.map { ", until \(absolute($0))" } ?? ""
            let count = rule.count.map { $0 == 1 ? ", once more" : ", \($0) times more" } ?? ""
            return rule.text + zone + until + count
        case .push: return "a remote notification"
        case .region(let region, let repeats):
            return (repeats ? "each time " : "once, ") + region.text
        }
    }

    /// The words that the agenda adds to the next date of a request; nil if there are none.
    static func remark(on trigger: NotificationTrigger?) -> String? {
        switch trigger {
        case .rule(let rule): rule.text
        case .region(let region, _): region.text
        case .interval(_, repeats: true), .calendar(_, repeats: true): "repeats"
        case nil, .interval, .calendar, .at, .push: nil
        }
    }
}

/// The dates in the output of `next` and `schedule`.
extension RelativeTime {
    /// `Sun 2027-03-28 03:00:00 CEST (in 126 d); 02:30:00 does not exist on …`.
    func line(_ occurrence: Occurrence) -> String {
        full(occurrence.instant) + (occurrence.shift.map { "; \($0.note)" } ?? "")
    }

    func object(_ occurrence: Occurrence) -> RecordValue {
        .record([
            .init("fire", zone.rfc3339(occurrence.instant)),
            .init("note", occurrence.shift?.note),
        ])
    }
}

extension RelativeTime {
    init(_ environment: ToolEnvironment) {
        self.init(now: environment.now, zone: environment.zone)
    }
}
