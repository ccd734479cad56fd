import NotificationModel
import NotificationSchedule
import TestSupport
import Testing

/// Compares our results for two thousand random expressions with those of systemd.
@Suite(.timeLimit(.minutes(2))) struct SystemdComparisonTests {
    private static let batches = SystemZones.all ? 200 : 20

    @Test(
        .enabled(
            if: SystemdAnalyze.isWanted,
            "systemd-analyze is not installed: apt-get install systemd"),
        arguments: 0..<batches)
    func `an expression has the form and the next five dates that systemd gives`(
        batch: Int
    ) async throws {
        var generator = ExpressionGenerator(seed: UInt64(batch) + 1)
        let base = Instant(
            microseconds: Int64(generator.number(631_152_000...2_082_758_400)) * 1_000_000)
        let expressions = (0..<100).map { _ in generator.expression() }
        let (answers, gaveUp) = try await SystemdAnalyze.answers(
            to: expressions, after: base, count: 5)
        // If the tool gives hardly any answers, one failure here is clearer than a hundred below.
        try #require(answers.count > 50)
        for text in expressions where !gaveUp.contains(text) {
            let answer = answers[text]
            // In a list of days from the month's end, systemd refuses days that it accepts alone:
            // it refuses '*-*~6,27' and accepts '*-*~27'.
            if answer == nil, text.contains("~"), text.contains(",") { continue }
            let ours = Self.answer(to: text, after: base)
            #expect(ours == answer, "\(text) after @\(base.microseconds / 1_000_000)")
        }
    }

    private static func answer(to text: String, after base: Instant) -> SystemdAnalyze.Answer? {
        guard let expression = try? CalendarExpression(text),
            let rules = SystemZones.rules(named: expression.timeZone ?? "UTC")
        else { return nil }
        var dates: [Int64] = []
        var instant = base
        while dates.count < 5,
            let next = expression.next(after: instant, in: rules)?.instant
        {
            dates.append(next.microseconds / 1_000_000)
            instant = next
        }
        return SystemdAnalyze.Answer(normalized: expression.description, dates: dates)
    }
}
