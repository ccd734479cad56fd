import NotificationModel
import NotificationSchedule
import Testing

/// Points in time as users write them, on Saturday 2026-11-21 at 12:00 in Berlin unless stated.
@Suite struct TimePhraseTests {
    /// 2026-11-21T12:00:00+01:00, a Saturday.
    private static let now = Instant(microseconds: 1_795_258_800_000_000)

    private static func resolve(
        _ text: String, at now: Instant = now, in zone: ZoneRules = SampleZones.berlin
    ) throws -> String {
        zone.rfc3339(try TimePhrase.resolve(text, now: now, zone: zone))
    }

    @Test(
        arguments: [
            ("8am", "2026-11-22T08:00:00+01:00"), ("8 am", "2026-11-22T08:00:00+01:00"),
            ("8pm", "2026-11-21T20:00:00+01:00"), ("8:30pm", "2026-11-21T20:30:00+01:00"),
            ("at 20:15", "2026-11-21T20:15:00+01:00"), ("20:15:30", "2026-11-21T20:15:30+01:00"),
            ("12pm", "2026-11-22T12:00:00+01:00"), ("12am", "2026-11-22T00:00:00+01:00"),
            ("noon", "2026-11-22T12:00:00+01:00"), ("midnight", "2026-11-22T00:00:00+01:00"),
            ("tonight", "2026-11-21T20:00:00+01:00"),
            ("tonight at 22:15", "2026-11-21T22:15:00+01:00"),
            ("tonight midnight", "2026-11-22T00:00:00+01:00"),
            ("today 13:00", "2026-11-21T13:00:00+01:00"),
            ("tomorrow 8am", "2026-11-22T08:00:00+01:00"),
            ("8am tomorrow", "2026-11-22T08:00:00+01:00"),
            ("noon, tomorrow", "2026-11-22T12:00:00+01:00"),
            ("Fri 15:00", "2026-11-27T15:00:00+01:00"),
            ("saturday 13:00", "2026-11-21T13:00:00+01:00"),
            ("sat 11:00", "2026-11-28T11:00:00+01:00"),
            ("on fri at 15:00", "2026-11-27T15:00:00+01:00"),
            ("3pm on 2026-12-24", "2026-12-24T15:00:00+01:00"),
            ("sunday noon", "2026-11-22T12:00:00+01:00"),
            ("2026-12-24 18:00", "2026-12-24T18:00:00+01:00"),
            ("2026-12-24T18:00:00", "2026-12-24T18:00:00+01:00"),
            ("2026-12-24T18:00:00Z", "2026-12-24T19:00:00+01:00"),
            ("2026-12-24t18:00:00-05:00", "2026-12-25T00:00:00+01:00"),
            ("2026-12-24 18:00 +02:00", "2026-12-24T17:00:00+01:00"),
            ("2026-12-24 18:00 utc", "2026-12-24T19:00:00+01:00"),
            ("2026-12-24T18:00-05:00", "2026-12-25T00:00:00+01:00"),
            ("2026-12-24 18:00:00-05:00", "2026-12-25T00:00:00+01:00"),
            ("18:00 -05:00", "2026-11-22T00:00:00+01:00"),
            ("2026-12-24T18:00:00.25+01:00", "2026-12-24T18:00:00.25+01:00"),
            ("2028-02-29 8am", "2028-02-29T08:00:00+01:00"),
            ("@1800000000", "2027-01-15T09:00:00+01:00"),
            ("@1800000000.5", "2027-01-15T09:00:00.5+01:00"),
            ("now + 10 minutes", "2026-11-21T12:10:00+01:00"),
            ("now+10m", "2026-11-21T12:10:00+01:00"), ("now +1h", "2026-11-21T13:00:00+01:00"),
            ("in 1h30m", "2026-11-21T13:30:00+01:00"),
            ("in 2 days", "2026-11-23T12:00:00+01:00"),
        ])
    func `a phrase is read as its instant`(text: String, expected: String) throws {
        #expect(try Self.resolve(text) == expected)
    }

    @Test(
        arguments: [
            // A gap: 2027-03-28 2:00 becomes 3:00.
            ("2027-03-28 2:30", "2027-03-28T03:00:00+02:00"),
            ("2027-03-28 2:00", "2027-03-28T03:00:00+02:00"),
            ("2027-03-28 1:59", "2027-03-28T01:59:00+01:00"),
            ("2027-03-28 3:00", "2027-03-28T03:00:00+02:00"),
            // A repeated hour: 2027-10-31 3:00 becomes 2:00.
            ("2027-10-31 2:30", "2027-10-31T02:30:00+02:00"),
            ("2027-10-31 2:00", "2027-10-31T02:00:00+02:00"),
            ("2027-10-31 3:00", "2027-10-31T03:00:00+01:00"),
        ])
    func `a time in a gap means the gap's end, and a time in a repeated hour means the first pass`(
        text: String, expected: String
    ) throws {
        #expect(try Self.resolve(text) == expected)
    }

    @Test func `each zone has its own gaps`() throws {
        #expect(
            try Self.resolve("2027-03-14 2:30", in: SampleZones.newYork)
                == "2027-03-14T03:00:00-04:00")
        // At 2026-10-04 2:00 this zone skips only half an hour.
        let before = Instant(microseconds: 1_780_000_000_000_000)
        #expect(
            try Self.resolve("2026-10-04 2:15", at: before, in: SampleZones.lordHowe)
                == "2026-10-04T02:30:00+11:00")
        #expect(
            try Self.resolve("2026-10-04 2:45", at: before, in: SampleZones.lordHowe)
                == "2026-10-04T02:45:00+11:00")
    }

    @Test func `a phrase that names the current time of day means that time tomorrow`() throws {
        #expect(try Self.resolve("12:00") == "2026-11-22T12:00:00+01:00")
        #expect(try Self.resolve("12:00:01") == "2026-11-21T12:00:01+01:00")
    }

    @Test(
        arguments: [
            ("", "is empty", 0..<1), ("tomorow 8am", "did you mean 'tomorrow'", 0..<7),
            ("fryday 8am", "did you mean 'friday'", 0..<6),
            ("tomorrow", "time of day is missing", 0..<8),
            ("2026-12-24", "time of day is missing", 0..<10),
            ("fri", "time of day is missing", 0..<3),
            ("8", "write '8:00', '8am' or '8pm'", 0..<1),
            // The suggested text must be a valid time; '13am', '0pm' and '31:00' are not valid.
            ("tomorrow 13", "means; write '13:00'", 9..<11), ("0", "means; write '0:00'", 0..<1),
            ("31 feb", "Unknown word '31'", 0..<2),
            ("10 minutes", "write 'in 10 minutes'", 0..<10),
            ("@99999999999999", "beyond the year 9999", 0..<15),
            ("10m", "is a length of time", 0..<3), ("13pm", "from 1 to 12", 0..<4),
            ("0am", "from 1 to 12", 0..<3), ("25:00", "no such time", 0..<5),
            ("24:00", "belongs to two days", 0..<5), ("8:60", "no such time", 0..<4),
            ("2026-02-30 8am", "no such day", 0..<10), ("2026-13-01 8am", "no such day", 0..<10),
            ("8am 9am", "two times", 4..<7), ("fri sat 8am", "two days", 4..<7),
            ("8am +01:00 Z", "two offsets", 11..<12), ("tonight 8am", "not in the evening", 8..<11),
            ("now", "is not a later time", 0..<3), ("now - 5m", "is not a later time", 0..<3),
            ("@", "number of seconds", 0..<1), ("@soon", "number of seconds", 0..<5),
            ("2026-12-24T18", "Unknown word", 0..<13), ("18:00 Europe/Berlin", "offset", 6..<19),
            // The message shows the zone as the user wrote it, not in lower case.
            ("18:00 Europe/Berlin", "'Europe/Berlin' cannot be used here", 6..<19),
            ("24/12/2026 8am", "2026-12-24", 0..<10), ("18:00+1", "offset from UTC", 5..<7),
            // This text may mean a meeting from 14:00 to 15:30, or 14:00 at the offset -15:30.
            ("14:00-15:30", "'-15:30' may be an end or an offset", 5..<11),
            ("tomorrow 9:00-10:00", "may be an end or an offset", 13..<19),
            ("now + 10", "has no unit", 6..<8), ("in", "is empty", 0..<2), ("-1", "Unknown", 0..<2),
            ("8:5", "Unknown word", 0..<3), ("\u{1B}[31m", "Unknown word", 0..<5),
        ] as [(String, String, Range<Int>)])
    func `the error names a mistake and points at it`(
        text: String, message: String, range: Range<Int>
    ) throws {
        let error = try #require(throws: TimeTextError.self) { try Self.resolve(text) }
        #expect(error.description.contains(message), "\(error)")
        #expect(error.range == range)
        #expect(error.kind == .notUnderstood)
        #expect(!error.description.unicodeScalars.contains("\u{1B}"))
    }

    @Test(arguments: ["18:00 ++1:00", "18:00 +01:+5", "18:00 +-1:00", "18:00 +01:-5"])
    func `an offset with a second sign is a mistake`(text: String) {
        #expect(throws: TimeTextError.self) { try Self.resolve(text) }
    }

    @Test(
        arguments: [
            "2026-11-21 11:59", "2026-11-21 12:00", "today 8am", "@0", "2020-01-01T00:00:00Z",
            "1066-10-14 9:00",
        ])
    func `a time that has passed is refused`(text: String) throws {
        let error = try #require(throws: TimeTextError.self) { try Self.resolve(text) }
        #expect(error.kind == .past)
        #expect(error.problem.hasSuffix("has passed"))
    }

    @Test(arguments: 0..<500 as Range<UInt64>)
    func `no text crashes the parser`(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let parts = [
            "tomorrow", "fri", "8", "am", ":", "20:15", "@", "999999999999999999", "-", "+", "in",
            "now", "m", "h", "2026-12-24", "T", "Z", "+01:00", " ", ",", ".", "é", "👩‍👩‍👧", "\0",
            "9999-12-31", "23:59:59.999999999", "tonight", "weeks",
        ]
        let text = (0..<next(7)).map { _ in parts[next(parts.count)] }.joined()
        do throws(TimeTextError) {
            #expect(
                try TimePhrase.resolve(text, now: Self.now, zone: SampleZones.berlin) > Self.now)
        } catch {
            #expect(error.range.upperBound <= max(1, text.count))
            #expect(!error.problem.isEmpty && !error.remedy.isEmpty)
        }
    }
}
