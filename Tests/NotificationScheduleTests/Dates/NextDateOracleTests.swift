import NotificationModel
import NotificationSchedule
import Testing

/// The next date, compared with the date that `ClockHands` finds, near changes of zones' offsets.
@Suite("The next date and the hands of the clock")
struct NextDateOracleTests {
    private static let start = SystemZones.start(of: 1990)
    private static let end = SystemZones.start(of: 2041)

    @Test
    func `near changes of zones, the next date is the date that ClockHands finds`() throws {
        var random = RandomComponents(seed: 51)
        var compared = 0
        var rang = 0
        for name in SystemZones.differentSample {
            let rules = try #require(SystemZones.rules(named: name))
            let changes = SystemZones.transitions(of: rules, from: Self.start, to: Self.end)
            for (index, change) in changes.enumerated()
            where SystemZones.all || (index + compared) % 12 == 0 {
                for _ in 0..<(SystemZones.all ? 2 : 3) {
                    rang += try compare(name, rules, change, &random) ? 1 : 0
                    compared += 1
                }
            }
        }
        print("compared \(compared) dates with the hands of the clock, \(rang) within 40 hours")
        #expect(rang > compared / 4 && compared > 100)
    }

    /// Compares both searches; returns whether the oracle found a date.
    private func compare(
        _ name: String, _ rules: ZoneRules, _ change: Int64, _ random: inout RandomComponents
    ) throws -> Bool {
        let minute = change - change % 60
        let start = minute - Int64(random.number(0...(26 * 60))) * 60
        let end = start + 40 * 3_600
        let components = random.near(
            rules.wallClock(at: change + 60 * Int64(random.number(-90...90))))
        var hands = ClockHands(components, in: rules)
        let expected = hands.next(after: start, before: end)
        let found = NextDate.find(
            matching: components, after: Instant(microseconds: start * 1_000_000), in: rules)
        let seconds = found.map { $0.microseconds / 1_000_000 }
        let comment: Comment = "\(name) after \(start): \(components)"
        if let expected {
            #expect(seconds == expected, comment)
        } else {
            #expect(seconds.map { $0 >= end } ?? true, comment)
        }
        return expected != nil
    }
}
