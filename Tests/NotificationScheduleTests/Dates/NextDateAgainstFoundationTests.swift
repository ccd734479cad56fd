import Foundation
import NotificationModel
import NotificationSchedule
import Testing

/// The next date, compared with Foundation's.
@Suite("The next date and Foundation's")
struct NextDateAgainstFoundationTests {
    @Test
    func `the next date is Foundation's, except where it differs on purpose`() throws {
        var random = RandomComponents(seed: 2_040)
        var agreed = 0
        var explained: [String: Int] = [:]
        let zones = SystemZones.sharedWithFoundation
        try #require(zones.count > 20)
        let changes = zones.map { zone in
            SystemZones.transitions(
                of: zone.rules, from: SystemZones.start(of: 1990), to: SystemZones.start(of: 2041))
        }
        for round in 0..<(SystemZones.all ? 30_000 : 1_500) {
            let index = random.number(0...zones.count - 1)
            let (name, rules) = zones[index]
            let start: Int64
            if round % 2 == 0, let change = changes[index].randomElement(using: &random.generator) {
                start = change + Int64(random.number(-200_000...200_000))
            } else {
                start = Int64(random.number(631_152_000...2_240_524_800))
            }
            let components = random.any(rules.wallClock(at: start))
            let pair = Pair(components: components, zone: name, start: start, rules: rules)
            if pair.agrees {
                agreed += 1
            } else if let reason = pair.reason {
                explained[reason, default: 0] += 1
            } else {
                Issue.record("\(pair)")
            }
        }
        print("as Foundation: \(agreed); by policy: \(explained.sorted { $0.key < $1.key })")
        #expect(agreed > explained.values.reduce(0, +))
    }
}

/// One search with our result and Foundation's.
private struct Pair: CustomStringConvertible {
    let components: CalendarComponents
    let zone: String
    let start: Int64
    let ours: Int64?
    let theirs: Int64?
    private let rules: ZoneRules
    private let calendar: Calendar

    init(components: CalendarComponents, zone: String, start: Int64, rules: ZoneRules) {
        self.components = components
        self.zone = zone
        self.start = start
        self.rules = rules
        var calendar = Calendar(
            identifier: components.calendar == "iso8601" ? .iso8601 : .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        self.calendar = calendar
        ours = NextDate.find(
            matching: components, after: Instant(microseconds: start * 1_000_000), in: rules
        ).map { $0.microseconds / 1_000_000 }
        theirs = calendar.nextDate(
            after: Date(timeIntervalSince1970: Double(start)),
            matching: DateComponents(components), matchingPolicy: .nextTime,
            repeatedTimePolicy: .first
        ).map { Int64($0.timeIntervalSince1970.rounded(.down)) }
    }

    var agrees: Bool { ours == theirs }

    /// Why our date differs from Foundation's on purpose; nil for a difference without a reason.
    var reason: String? {
        if components.month.map({ month in
            (components.day ?? 1) > [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        }) ?? false {
            return ours == nil ? "a day that its month never has" : nil
        }
        if let theirs, isOncePerDay, isSecondPass(theirs) { return "a repeated hour counts once" }
        if let theirs, hasWeek, !shows(theirs), ours.map({ $0 > theirs }) ?? true {
            return "with a part that depends on weekdays, nothing replaces a missing day"
        }
        if ours == nil, let theirs, components.year != nil, !shows(theirs) {
            return "a date that is past has no next one"
        }
        guard let ours, theirs.map({ $0 > ours }) ?? true else { return nil }
        // `ClockHands` decides whether our answer is correct.
        var hands = ClockHands(components, in: rules)
        guard components.second != nil || hands.next(after: ours - 60, before: ours + 60) == ours
        else { return nil }
        return shows(ours)
            ? "Foundation misses a date" : "Foundation replaces no missing day or removed time"
    }

    private var hasWeek: Bool {
        components.weekday != nil || components.weekdayOrdinal != nil
            || components.weekOfMonth != nil || components.weekOfYear != nil
    }

    private var isOncePerDay: Bool {
        components.hour != nil || components.minute == nil && components.second == nil
    }

    /// Whether the calendar shows these components at an instant.
    private func shows(_ instant: Int64) -> Bool {
        let found = calendar.dateComponents(
            [
                .year, .month, .day, .hour, .minute, .second, .weekday, .weekdayOrdinal,
                .weekOfMonth, .weekOfYear, .yearForWeekOfYear,
            ], from: Date(timeIntervalSince1970: Double(instant)))
        let wanted = DateComponents(components)
        let paths: [KeyPath<DateComponents, Int?>] = [
            \.year, \.month, \.day, \.hour, \.minute, \.second, \.weekday, \.weekdayOrdinal,
            \.weekOfMonth, \.weekOfYear, \.yearForWeekOfYear,
        ]
        return paths.allSatisfy {
            wanted[keyPath: $0] == nil || wanted[keyPath: $0] == found[keyPath: $0]
        }
    }

    private func isSecondPass(_ instant: Int64) -> Bool {
        rules.instants(ofWallClock: rules.wallClock(at: instant)).first != instant
    }

    var description: String {
        func show(_ instant: Int64?) -> String {
            instant.map { "\(CivilTime(seconds: rules.wallClock(at: $0)).text) (\($0))" } ?? "nil"
        }
        let parts = CalendarComponents.fields.compactMap { field in
            components[keyPath: field.path].map { "\(field.name)=\($0)" }
        }
        return "\(components.calendar ?? "") \(parts.joined(separator: " ")) in \(zone) after "
            + "\(show(start)): \(show(ours)), Foundation \(show(theirs))"
    }
}

extension CivilTime {
    fileprivate var text: String {
        String(format: "%04d-%02d-%02d %02d:%02d:%02d", year, month, day, hour, minute, second)
    }
}

extension DateComponents {
    fileprivate init(_ components: CalendarComponents) {
        self.init(
            era: components.era, year: components.year, month: components.month,
            day: components.day, hour: components.hour, minute: components.minute,
            second: components.second, nanosecond: components.nanosecond,
            weekday: components.weekday, weekdayOrdinal: components.weekdayOrdinal,
            weekOfMonth: components.weekOfMonth, weekOfYear: components.weekOfYear,
            yearForWeekOfYear: components.yearForWeekOfYear)
    }
}
