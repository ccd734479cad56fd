import NotificationModel
import NotificationSchedule
import Testing

/// Calendar event expressions of systemd.
@Suite struct CalendarExpressionTests {
    /// 2026-11-21T12:00:00+01:00, a Saturday.
    private static let now = Instant(microseconds: 1_795_258_800_000_000)

    private static func next(_ text: String, after instant: Instant = now) throws -> String? {
        try CalendarExpression(text).next(after: instant, in: SampleZones.berlin)
            .map { SampleZones.berlin.rfc3339($0.instant) }
    }

    @Test(
        arguments: [
            ("minutely", "*-*-* *:*:00"), ("Quarterly", "*-01,04,07,10-01 00:00:00"),
            ("bi-annually UTC", "*-01,07-01 00:00:00 UTC"), ("weekly", "Mon *-*-* 00:00:00"),
            ("Fri,Mon..Wed", "Mon..Wed,Fri *-*-* 00:00:00"), ("Sat-Sun", "Sat,Sun *-*-* 00:00:00"),
            ("Mon..Sun 9:5", "*-*-* 09:05:00"), ("9:30:7.5", "*-*-* 09:30:07.500000"),
            ("*:0/15", "*-*-* *:00/15:00"), ("26-1-2", "2026-01-02 00:00:00"),
            ("75..80-*-*", "1975..1980-*-* 00:00:00"), ("12-24 18:00", "*-12-24 18:00:00"),
            ("*-02~01", "*-02~01 00:00:00"), ("*-*~7/1 12:00", "*-*~07/1 12:00:00"),
            ("5,3,5,1:00", "*-*-* 01,03,05:00:00"), ("*:*:0/1", "*-*-* *:*:*"),
            ("8..18/3:00", "*-*-* 08..17/3:00:00"), ("@1790000000", "2026-09-21 14:13:20 UTC"),
            ("  daily  ", "*-*-* 00:00:00"), ("Wed, 17:00", "Wed *-*-* 17:00:00"),
            ("18:00 Europe/Berlin", "*-*-* 18:00:00 Europe/Berlin"),
            ("*:*:0.5/0.25", "*-*-* *:*:00.500000/0.250000"),
        ])
    func `the normalized form of an expression gives the same expression`(
        text: String, normalized: String
    ) throws {
        let expression = try CalendarExpression(text)
        #expect(expression.description == normalized)
        #expect(try CalendarExpression(normalized) == expression)
    }

    @Test(
        arguments: [
            ("12-24 18:00", "2026-12-24T18:00:00+01:00"), ("12:00", "2026-11-22T12:00:00+01:00"),
            ("*:*:30.25", "2026-11-21T12:00:30.25+01:00"),
            ("*-02-29", "2028-02-29T00:00:00+01:00"), ("*-*-31", "2026-12-31T00:00:00+01:00"),
            ("Mon *-*-1..7 10:00", "2026-12-07T10:00:00+01:00"),
            ("*-*~01 17:00", "2026-11-30T17:00:00+01:00"), ("*-02-30", nil), ("2025-*-*", nil),
            ("Fri *-02~1", "2031-02-28T00:00:00+01:00"),
            // 2027-03-28 has no 2:30, and 2027-10-31 has it twice.
            ("2027-3-28 2:30", nil), ("2027-3-* 2,3:30", "2027-03-01T02:30:00+01:00"),
            ("2027-10-31 2:30", "2027-10-31T02:30:00+02:00"),
        ] as [(String, String?)])
    func `the next date is the date that systemd computes`(text: String, expected: String?) throws {
        #expect(try Self.next(text) == expected)
    }

    @Test func `a search from the second pass of an hour finds dates in that pass`() throws {
        // 2027-10-31T02:10:00+01:00, after the clocks went back.
        let second = Instant(microseconds: 1_824_945_000_000_000)
        #expect(try Self.next("2:30", after: second) == "2027-10-31T02:30:00+01:00")
        // The search goes forward in local time: after the first 2:10 it skips the second 2:05.
        let first = second.adding(microseconds: -3_600_000_000)
        #expect(try Self.next("*:5", after: first) == "2027-10-31T03:05:00+01:00")
    }

    @Test(
        arguments: [
            ("", "is empty", 0..<1), ("tusday 9:30", "did you mean 'tuesday'", 0..<6),
            ("Monday..", "weekday was expected", 8..<9), ("Fri..Mon", "runs backwards", 0..<8),
            ("Mon Tue 9:30", "in place of the weekday 'Tue'", 4..<7),
            ("daily 9:30", "'daily' cannot stand beside", 0..<5),
            ("Mon daily", "'daily' cannot stand beside", 4..<9),
            ("9", "Something is missing", 1..<2),
            ("25:00", "no such hour", 0..<2), ("9:60", "no such minute", 2..<4),
            ("9:30:61", "no such second", 5..<7), ("*-13-1", "no such month", 2..<4),
            ("*-*-32", "no such day", 4..<6), ("*-*~29", "from 1 to 28", 4..<6),
            ("1960-*-*", "1970 to 2199", 0..<4), ("*-~2-1", "number or '*'", 2..<6),
            ("*~2-1", "'~' can only stand right before the day", 1..<2), ("9:30/0", "zero", 5..<6),
            ("20/5:00", "too large to repeat", 0..<4), ("17..9:00", "runs backwards", 0..<5),
            ("9:00:0..0.5", "shorter than", 5..<11), ("9:30pm", "'20:00' for 8 pm", 4..<6),
            ("8:00 am", "no time zone 'am'", 5..<7), ("9:30 Europe/Berln", "no time zone", 5..<17),
            ("@soon", "number of seconds", 0..<5), ("@99999999999", "2199", 0..<12),
            ("@9223372036854775807", "2199", 0..<20),
            ("9:x", "in place of 'x'", 2..<3), ("dayly", "did you mean 'daily'", 0..<5),
            ("*-12-24T18:00", "after a number", 7..<13), ("9:30:*,5", "after the time", 6..<8),
        ] as [(String, String, Range<Int>)])
    func `the error names a mistake and points at it`(
        text: String, message: String, range: Range<Int>
    ) throws {
        let error = try #require(throws: TimeTextError.self) {
            try CalendarExpression(text, isZone: { $0 == "Europe/Berlin" })
        }
        #expect(error.description.contains(message), "\(error)")
        #expect(error.range == range, "\(error)")
    }

    /// A parser that only counts digits would read 12 or more digits as a time after the year
    /// 2199.
    @Test func `a time stamp with leading zeros has the value of its digits`() throws {
        let expression = try CalendarExpression("@00001790000000")
        #expect(expression.description == "2026-09-21 14:13:20 UTC")
        #expect(try expression == CalendarExpression("@1790000000"))
    }

    @Test func `the error names a range of seconds that runs backwards`() throws {
        let error = try #require(throws: TimeTextError.self) {
            try CalendarExpression("*:*:30..10", isZone: { _ in false })
        }
        #expect(error.description.contains("runs backwards"), "\(error)")
    }
}
