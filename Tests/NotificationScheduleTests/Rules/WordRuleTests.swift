import NotificationModel
import NotificationSchedule
import Testing

/// Rules in words, on Saturday 2026-11-21 at 12:00 in Berlin unless stated otherwise.
@Suite struct WordRuleTests {
    /// 2026-11-21T12:00:00+01:00, a Saturday.
    private static let now = Instant(microseconds: 1_795_258_800_000_000)

    private static func dates(
        _ text: String, after instant: Instant = now, _ count: Int
    ) throws
        -> [String]
    {
        Rule(.words(try WordRule(text))).dates(after: instant, in: SampleZones.berlin, limit: count)
            .map { String(SampleZones.berlin.rfc3339($0.instant).dropLast(9)) }
    }

    @Test(
        arguments: [
            ("15m", "every 15m"), ("every 90 minutes", "every 1h30m"), ("hour", "every 1h"),
            ("1h 30s", "every 1h30s"), ("36h", "every 36h"), ("90.5s", "every 1m30.5s"),
            ("day at 9", "every day at 09:00"), ("every day at noon", "every day at 12:00"),
            ("Weekday at 9:30", "every weekday at 09:30"),
            ("weekends at 10", "every weekend at 10:00"),
            ("mon,wed at 9", "every mon,wed at 09:00"), ("monday at 9 pm", "every monday at 21:00"),
            ("wednesdays and mondays 9am", "every mon,wed at 09:00"),
            ("mon-fri at midnight", "every weekday at 00:00"),
            ("fri..mon", "every mon,fri,sat,sun at 00:00"),
            ("day at 9, 13 and 17:30:15", "every day at 09:00,13:00,17:30:15"),
            ("month on the 1st", "every month on the 1st at 00:00"),
            ("month on the last day", "every month on the last day at 00:00"),
            ("15th day of month at 9", "every month on the 15th at 09:00"),
            (
                "month on the 15th, 1st and last day at 8",
                "every month on the 1st,15th,last day at 08:00"
            ),
            ("first monday of month at 10", "every first monday of month at 10:00"),
            (
                "the 1st and 3rd tue of the month at 10",
                "every first,third tuesday of month at 10:00"
            ),
            ("month on the last friday at 17", "every last friday of month at 17:00"),
            ("last weekday of month at 17:00", "every last weekday of month at 17:00"),
            ("last sunday of march and october", "every last sunday of march,october at 00:00"),
            ("last day of february at 9", "every last day of february at 09:00"),
            ("year on december 24 at 18:00", "every year on december 24 at 18:00"),
            ("24th of dec at 18", "every year on december 24 at 18:00"),
            ("year on the 1st of may and 24 december", "every year on may 1,december 24 at 00:00"),
            (
                "2 weeks on friday at 9 from 2026-11-27",
                "every 2 weeks on friday at 09:00 from 2026-11-27"
            ),
            ("other friday at 9", "every 2 weeks on friday at 09:00"),
            ("3 months on the first monday at 9", "every 3 months on the first monday at 09:00"),
            (
                "2 years on the last sunday of march",
                "every 2 years on the last sunday of march at 00:00"
            ),
            ("1 week on mon at 9", "every monday at 09:00"),
            ("10 days at 9", "every 10 days at 09:00"),
            (
                "month on the 11th,12th,13th,21st,22nd,23rd",
                "every month on the 11th,12th,13th,21st,22nd,23rd at 00:00"
            ),
        ])
    func `the canonical words of a rule give the same rule`(text: String, canonical: String) throws
    {
        let rule = try WordRule(text)
        #expect(rule.description == canonical)
        #expect(try WordRule(canonical) == rule)
        #expect(try WordRule("EVERY " + canonical.dropFirst(6)) == rule)
    }

    @Test(
        arguments: [
            ("15m", ["2026-11-21T12:15", "2026-11-21T12:30"]),
            ("day at 9", ["2026-11-22T09:00", "2026-11-23T09:00"]),
            ("day at 12", ["2026-11-22T12:00"]), ("weekday at 9:30", ["2026-11-23T09:30"]),
            ("weekend at 13", ["2026-11-21T13:00", "2026-11-22T13:00", "2026-11-28T13:00"]),
            ("mon,wed at 9", ["2026-11-23T09:00", "2026-11-25T09:00", "2026-11-30T09:00"]),
            ("month on the last day", ["2026-11-30T00:00", "2026-12-31T00:00"]),
            (
                "month on the 31st at 8",
                ["2026-12-31T08:00", "2027-01-31T08:00", "2027-03-31T08:00"]
            ),
            ("first monday of month at 10", ["2026-12-07T10:00", "2027-01-04T10:00"]),
            ("last friday of month at 17:00", ["2026-11-27T17:00", "2026-12-25T17:00"]),
            (
                "last weekday of month at 9",
                ["2026-11-30T09:00", "2026-12-31T09:00", "2027-01-29T09:00"]
            ),
            ("fifth sunday of month at 9", ["2026-11-29T09:00", "2027-01-31T09:00"]),
            ("year on december 24 at 18:00", ["2026-12-24T18:00", "2027-12-24T18:00"]),
            ("year on february 29 at 9", ["2028-02-29T09:00", "2032-02-29T09:00"]),
            ("last sunday of march at 4", ["2027-03-28T04:00", "2028-03-26T04:00"]),
            (
                "2 weeks on friday at 9",
                ["2026-11-27T09:00", "2026-12-11T09:00", "2026-12-25T09:00"]
            ),
            (
                "2 weeks on mon,sat at 13",
                ["2026-11-21T13:00", "2026-11-30T13:00", "2026-12-05T13:00"]
            ),
            ("3 days at 9", ["2026-11-22T09:00", "2026-11-25T09:00"]),
            ("3 days at 9 from 2026-11-20", ["2026-11-23T09:00", "2026-11-26T09:00"]),
            ("12 months on the 31st at 9 from 2027-02-01", []),
            ("4 years on february 29 at 9", ["2028-02-29T09:00", "2032-02-29T09:00"]),
            ("day at 9 from 2027-01-01", ["2027-01-01T09:00"]),
            ("day at 9,18", ["2026-11-21T18:00", "2026-11-22T09:00"]),
            // A gap at 2:00 on 2027-03-28, a repeated hour on 2027-10-31.
            ("28 march at 2:30,3:00,3:30", ["2027-03-28T03:00", "2027-03-28T03:30"]),
            (
                "31 october at 2:30,3:00",
                ["2027-10-31T02:30", "2027-10-31T03:00", "2028-10-31T02:30"]
            ),
        ] as [(String, [String])])
    func `a rule gives the dates that its words name`(text: String, expected: [String]) throws {
        #expect(try Self.dates(text, max(1, expected.count)) == expected)
    }

    @Test func `a rule does not fire again in the second pass of an hour`() throws {
        // 2027-10-31T02:10:00+01:00, after the clocks went back.
        let between = Instant(microseconds: 1_824_945_000_000_000)
        #expect(try Self.dates("day at 2:30", after: between, 1) == ["2027-11-01T02:30"])
    }

    @Test func `the note about a shifted time says why the time is shifted`() throws {
        let spring = Instant(microseconds: 1_806_145_200_000_000)
        let next = try #require(
            try WordRule("day at 2:30").next(after: spring, in: SampleZones.berlin))
        #expect(next.shift?.note.hasPrefix("02:30:00 does not exist on 2027-03-28") == true)
        let other = try #require(
            try WordRule("day at 9").next(after: spring, in: SampleZones.berlin))
        #expect(other.shift == nil)
    }

    @Test(
        arguments: [
            ("", "is empty", 0..<1), ("every", "is empty", 5..<6),
            ("wekday at 9", "did you mean 'weekday'", 0..<6),
            ("every mondy at 9", "did you mean 'monday'", 6..<11),
            ("daily at 9", "did you mean 'day'", 0..<5), ("day on 9", "Unknown word 'on'", 4..<6),
            // The remedy must not suggest 'on', the word that was not understood.
            ("day on 9", "Unknown word 'on'; write a rule", 4..<6),
            ("monday week", "Unknown word 'week'; write a rule", 7..<11),
            ("day at", "time of day is missing", 4..<6), ("day 9", "write 'at 9'", 4..<5),
            ("day at 25", "no such time of day", 7..<9),
            ("day at 9 am pm", "Unknown word", 12..<14),
            ("30s", "shorter than a minute", 0..<3), ("15 minuts", "did you mean 'minute'", 3..<9),
            ("2 days", "length of time or a rule", 0..<6), ("week at 9", "'on' and a day", 5..<7),
            ("week", "'on' and a day", 4..<5), ("month on friday", "A day of the month", 9..<15),
            ("month on the 32nd", "no such day", 13..<17),
            ("month on the last", "The last what", 13..<17),
            ("sixth monday of month", "Unknown word 'sixth'", 0..<5),
            ("6th monday of month", "'first' to 'fifth'", 0..<3),
            ("first monday at 9", "'of month'", 13..<15),
            ("second friday at 9", "2 weeks on monday", 14..<16),
            ("first monday of mach", "did you mean 'march'", 16..<20),
            ("year on february 30", "february has 29 days", 8..<19),
            ("year on the first monday of month", "A month", 33..<34),
            ("day at 9 from tomorrow", "is no date", 14..<22),
            ("0 weeks on mon", "1 to 520", 0..<7),
            ("day at 9 until friday", "Unknown word 'until'", 9..<14),
            ("month on the 1st,last day and monday", "two rules", 9..<36),
            ("\u{1B}[2J", "Unknown word", 0..<4),
        ] as [(String, String, Range<Int>)])
    func `the error names a mistake and points at it`(
        text: String, message: String, range: Range<Int>
    ) throws {
        let error = try #require(throws: TimeTextError.self) { try WordRule(text) }
        #expect(error.description.contains(message), "\(error)")
        #expect(error.range == range, "\(error)")
        #expect(!error.description.unicodeScalars.contains("\u{1B}"))
    }

    @Test(arguments: ["weekday at 9:30 and", "weekday at 9:30 and and 10:00"])
    func `the error names a time that is missing after 'and'`(text: String) throws {
        let error = try #require(throws: TimeTextError.self) { try WordRule(text) }
        #expect(error.description.contains("missing after 'and'"), "\(error)")
    }
}
