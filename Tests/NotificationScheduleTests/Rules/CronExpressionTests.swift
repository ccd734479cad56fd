import NotificationModel
import NotificationSchedule
import Testing

/// Cron expressions, by the rules of Debian's cron.
@Suite struct CronExpressionTests {
    /// 2026-11-21T12:00:00+01:00, a Saturday.
    private static let now = Instant(microseconds: 1_795_258_800_000_000)
    /// 2027-03-27T12:00:00+01:00, the day before clocks go forward.
    private static let spring = Instant(microseconds: 1_806_145_200_000_000)
    /// 2027-10-31T01:30:00+02:00, before clocks go back.
    private static let autumn = Instant(microseconds: 1_824_939_000_000_000)

    private static func dates(
        _ text: String, after instant: Instant, _ count: Int
    ) throws
        -> [String]
    {
        Rule(.cron(try CronExpression(text)))
            .dates(after: instant, in: SampleZones.berlin, limit: count)
            .map { SampleZones.berlin.rfc3339($0.instant) }
    }

    @Test(
        arguments: [
            ("30 9 * * mon-fri", "30 9 * * 1-5"), ("@daily", "0 0 * * *"),
            ("@MIDNIGHT", "0 0 * * *"), ("@hourly", "0 * * * *"), ("@weekly", "0 0 * * 0"),
            ("@monthly", "0 0 1 * *"), ("@annually", "0 0 1 1 *"), ("@yearly", "0 0 1 1 *"),
            ("*/15 8-18/2 1,15 JAN,dec 7", "*/15 8-18/2 1,15 1,12 7"),
            (" 0\t0  * * sun ", "0 0 * * 0"), ("5-5 * * * *", "5 * * * *"),
        ])
    func `the canonical form of an expression gives the same expression`(
        text: String, canonical: String
    ) throws {
        let expression = try CronExpression(text)
        #expect(expression.description == canonical)
        #expect(try CronExpression(canonical) == expression)
    }

    @Test(
        arguments: [
            ("30 9 * * 1-5", "2026-11-23T09:30:00+01:00"),
            ("0 12 * * *", "2026-11-22T12:00:00+01:00"),
            // If neither day field begins with a star, one match is enough: the 1st, or a Monday.
            ("0 9 1 * 1", "2026-11-23T09:00:00+01:00"),
            // If either field begins with a star, both have to match.
            ("0 9 */2 * 2", "2026-12-01T09:00:00+01:00"),
            ("0 9 13 * */7", "2026-12-13T09:00:00+01:00"),
            ("0 9 * * 7", "2026-11-22T09:00:00+01:00"), ("0 0 29 2 *", "2028-02-29T00:00:00+01:00"),
            ("*/7 * * * *", "2026-11-21T12:07:00+01:00"),
        ])
    func `the next date is the date that cron computes`(text: String, expected: String) throws {
        #expect(try Self.dates(text, after: Self.now, 1) == [expected])
    }

    @Test func `a day that never comes has no date`() throws {
        #expect(try Self.dates("0 0 30 2 *", after: Self.now, 1).isEmpty)
        #expect(try Self.dates("* 0 31 4,6,9,11 *", after: Self.now, 1).isEmpty)
    }

    @Test func `a time that a gap removes fires once, at the end of the gap`() throws {
        #expect(
            try Self.dates("15,45 2 * * *", after: Self.spring, 2)
                == ["2027-03-28T03:00:00+02:00", "2027-03-29T02:15:00+02:00"])
        let shift = try #require(
            try CronExpression("15 2 * * *").next(after: Self.spring, in: SampleZones.berlin)?.shift
        )
        #expect(
            shift.note == "02:15:00 does not exist on 2027-03-28: the clocks go from 02:00:00 to "
                + "03:00:00")
    }

    @Test func `a fixed time in a repeated hour fires once`() throws {
        #expect(
            try Self.dates("30 2 * * *", after: Self.autumn, 2)
                == ["2027-10-31T02:30:00+02:00", "2027-11-01T02:30:00+01:00"])
    }

    @Test func `a wildcard fires in both passes of a repeated hour, and skips a gap`() throws {
        #expect(
            try Self.dates("*/30 2 * * *", after: Self.autumn, 5) == [
                "2027-10-31T02:00:00+02:00", "2027-10-31T02:30:00+02:00",
                "2027-10-31T02:00:00+01:00", "2027-10-31T02:30:00+01:00",
                "2027-11-01T02:00:00+01:00",
            ])
        #expect(
            try Self.dates("*/30 2 * * *", after: Self.spring, 1)
                == ["2027-03-29T02:00:00+02:00"])
    }

    @Test func `a clock change of more than three hours shifts no date`() throws {
        // Clocks skip a whole day, as Samoa's did.
        let zone = SampleZones.zone(standard: -36_000, changes: [(1_800_000_000, 50_400)])
        let before = Instant(microseconds: 1_799_990_000_000_000)
        let next = try CronExpression("0 9 * * *").next(after: before, in: zone)
        #expect(next?.instant == Instant(seconds: 1_800_039_600), "9:00 of the next day")
        #expect(next?.shift == nil)
    }

    @Test(
        arguments: [
            ("", "is empty", 0..<1), ("0 9 * *", "this has 4", 7..<8),
            ("0 0 9 * * 1", "leave out the seconds", 10..<11),
            ("60 * * * *", "no such minute", 0..<2),
            ("0 24 * * *", "no such hour", 2..<4), ("0 0 0 * *", "no such day", 4..<5),
            ("0 0 * 13 *", "no such month", 6..<8), ("0 0 * * 8", "no such weekday", 8..<9),
            ("0 0 * * monday", "did you mean 'mon'", 8..<14),
            ("0 0 * juin *", "did you mean 'jun'", 6..<10), ("mon 9 * * *", "is no minute", 0..<3),
            ("0 0 * * fri-mon", "runs backwards", 8..<15), ("5/15 * * * *", "5-59/15", 0..<4),
            ("*/0 * * * *", "from 1 to 59", 2..<3), ("0 0 L * *", "last friday of month", 4..<5),
            ("0 0 ? * *", "no part of Debian's", 4..<5), ("0, 0 * * *", "is missing", 2..<3),
            ("@reboot", "names no date", 0..<7), ("@dayly", "did you mean '@daily'", 0..<6),
            ("@every 5m", "Unknown name", 0..<9),
        ] as [(String, String, Range<Int>)])
    func `the error names a mistake and points at it`(
        text: String, message: String, range: Range<Int>
    ) throws {
        let error = try #require(throws: TimeTextError.self) { try CronExpression(text) }
        #expect(error.description.contains(message), "\(error)")
        #expect(error.range == range, "\(error)")
    }

    @Test(arguments: ["0 23/2 * * *", "59/5 * * * *", "0 0 1 12/1 *", "0 0 * * 6/2"])
    func `for a step from a field's last value, the error proposes a step from a star`(
        text: String
    ) throws {
        let error = try #require(throws: TimeTextError.self) { try CronExpression(text) }
        #expect(error.description.contains("write '*/"), "\(error)")
    }
}
