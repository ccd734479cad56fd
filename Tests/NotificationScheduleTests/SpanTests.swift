import NotificationSchedule
import Testing

/// Lengths of time as users write them.
@Suite struct SpanTests {
    @Test(
        arguments: [
            ("10m", 600_000), ("1h30m", 5_400_000), ("90s", 90_000), ("2 days", 172_800_000),
            ("in 1h30m", 5_400_000), ("1.5h", 5_400_000), (".5s", 500), ("0.1h", 360_000),
            ("250ms", 250), ("1 w", 604_800_000), ("1 hour and 30 minutes", 5_400_000),
            ("1 hour, 30 min", 5_400_000), ("1H30M", 5_400_000), ("  5  min ", 300_000),
            ("1m1m", 120_000), ("1.000000001s", 1_000),
        ] as [(String, Int64)])
    func `a text is read as its length of time`(text: String, milliseconds: Int64) throws {
        #expect(try Span(text).microseconds / 1_000 == milliseconds)
    }

    @Test(
        arguments: [
            ("", "is empty", 0..<1), ("   ", "is empty", 0..<3),
            ("10", "has no unit", 0..<2), ("1h 30", "has no unit", 3..<5),
            ("m", "A number was expected", 0..<1), ("-5m", "A number was expected", 0..<1),
            ("5 minuts", "did you mean 'minute'", 2..<8), ("5 zz", "Unknown unit", 2..<4),
            ("2 months", "no fixed length", 2..<8), ("1y", "no fixed length", 1..<2),
            ("0s", "is zero; write a longer one, such as '10m'", 0..<2),
            ("0.0001ms", "is zero", 0..<8),
            ("9999999999 weeks", "more than 1000 years", 0..<16),
            ("1.2.3s", "A number was expected", 0..<5),
            ("1234567890123456789s", "A number was expected", 0..<19),
        ] as [(String, String, Range<Int>)])
    func `the error names a mistake and points at it`(
        text: String, message: String, range: Range<Int>
    ) throws {
        let error = try #require(throws: TimeTextError.self) { try Span(text) }
        #expect(error.description.contains(message), "\(error)")
        #expect(error.range == range)
        #expect(!error.remedy.isEmpty)
    }

    @Test func `the caret stands below the mistake`() throws {
        let error = try #require(throws: TimeTextError.self) { try Span("5 minuts") }
        #expect(error.pointer == "  5 minuts\n    ^~~~~~")
    }

    @Test func `the caret stands below a mistake that follows or contains wide letters`() throws {
        let error = try #require(throws: TimeTextError.self) { try Span("1h 5 分鐘") }
        #expect(error.range == 5..<7)
        #expect(error.pointer == "  1h 5 分鐘\n       ^~~~")
        let after = TimeTextError(text: "明日 8xm", range: 3..<6, problem: "p", remedy: "r")
        #expect(after.pointer == "  明日 8xm\n       ^~~")
    }
}
