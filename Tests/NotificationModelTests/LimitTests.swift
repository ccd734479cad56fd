import Foundation
import NotificationModel
import Testing

/// Each limit refuses values beyond its range, and the article on limits has every limit.
@Suite struct LimitTests {
    /// All limits, in the order of the article.
    private static let all = [
        Limits.identifier, Limits.payload, Limits.attachments, Limits.imageFile,
        Limits.audioFile, Limits.movieFile, Limits.depth, Limits.badge,
        Limits.summaryCount, Limits.urgency, Limits.grace, Limits.date, Limits.interval,
        Limits.repeatedInterval, Limits.radius, Limits.ruleText, Limits.ruleCount, Limits.ruleList,
        Limits.ruleDays,
        Limits.ruleWeeks, Limits.ruleMonths, Limits.ruleYears, Limits.zoneName, Limits.call,
        Limits.requestsOfCall, Limits.page, Limits.pushPayload, Limits.pushMessage,
        Limits.pushToken, Limits.pushRegistrations, Limits.pushEndpoint, Limits.pushMessageID,
        Limits.pushKeyAge,
        Limits.pushKeys,
        Limits.collapseIdentifier,
        Limits.apps, Limits.appsOfProgram, Limits.sessions, Limits.identity, Limits.name,
        Limits.commandArguments, Limits.commandSize, Limits.awaited, Limits.callers, Limits.reports,
        Limits.categories,
        Limits.actions, Limits.categoriesSize, Limits.categoriesOfStore, Limits.pending,
        Limits.regions, Limits.bytesOfApp, Limits.bytesOfStore, Limits.addBurst,
        Limits.addsPerSecond,
        Limits.delivered, Limits.deliveredAge, Limits.records, Limits.recordsOfApp, Limits.inbox,
        Limits.inboxFile, Limits.screenLine, Limits.screenText, Limits.dialogText,
        Limits.dialogTitle, Limits.dialogButton, Limits.reply, Limits.activationToken,
        Limits.capabilities, Limits.earlySignals, Limits.crashes, Limits.openQuestions,
        Limits.imageSide,
        Limits.soundFile,
        Limits.soundLength, Limits.translations, Limits.zoneFile, Limits.fileWait,
        Limits.portalFile, Limits.quickActions, Limits.configurationFile, Limits.sandboxFile,
        Limits.programOutput,
        Limits.programFile, Limits.zones, Limits.standardInput, Limits.forecast, Limits.shownDates,
        Limits.inputLine, Limits.hintDepth,
        Limits.clickCommand, Limits.commandReply, Limits.clickCommands, Limits.calendar,
        Limits.calendarDepth, Limits.calendarText, Limits.calendarAlarms, Limits.calendarDates,
        Limits.calendarInterval, Limits.calendarCount,
        Limits.calendarSpan,
    ]

    @Test func `every limit accepts the ends of its range and refuses values beyond them`() {
        for limit in Self.all {
            let least = limit.range.lowerBound + (limit.excludesLeast ? 1 : 0)
            for value in [least, limit.range.upperBound] {
                #expect(throws: Never.self) { try limit.check(value, of: "it") }
                #expect(throws: Never.self) { try limit.check(Double(value), of: "it") }
            }
            let beyond: [Int64] = [
                .min, least - 1, limit.range.upperBound + 1, .max,
            ]
            for value in beyond {
                let error = #expect(throws: NotificationError.self) {
                    try limit.check(value, of: "it")
                }
                #expect(error?.code == limit.code)
                #expect(error?.message.contains("\(limit.range.upperBound)") == true)
            }
            for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
                #expect(throws: NotificationError.self) { try limit.check(value, of: "it") }
            }
            #expect(throws: NotificationError.self) { try limit.check(UInt64.max, of: "it") }
            #expect(limit.contains(Double(limit.range.lowerBound)) != limit.excludesLeast)
        }
    }

    @Test(
        arguments: [
            (Limits.badge, -1, "must be from 0 to 2147483647."),
            // The message must not advise a larger number.
            (
                Limits.badge, 1 << 31,
                "must be at most 2147483647. Use 0 to remove the badge, or a number in that range."
            ),
            (Limits.urgency, 3, "must be at most 2."),
            (Limits.interval, -1, "must be more than 0 and at most 31622400000."),
            (Limits.ruleDays, 0, "must be from 1 to 3660."),
        ] as [(Limit, Int, String)])
    func `a refusal names the bounds of the limit`(
        limit: Limit, value: Int, bounds: String
    ) {
        let error = #expect(throws: NotificationError.self) { try limit.check(value, of: "it") }
        #expect(error?.message.contains(bounds) == true, "\(error?.message ?? "")")
    }

    @Test func `the article on limits has one row for each limit and no other row`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/UserNotifications/UserNotifications.docc/Limits.md")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| What ") }
        #expect(rows.map(String.init) == Self.all.map(Self.row))
    }

    @Test func `the list in this file has every limit of the source`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/NotificationModel/Limits.swift")
        let rows = try String(contentsOf: file, encoding: .utf8)
            .matches(of: /static let \w+ = (Limit|cut|attached)\(/)
        #expect(rows.count == Self.all.count)
        #expect(Set(Self.all.map(\.what)).count == Self.all.count)
    }

    private static func row(of limit: Limit) -> String {
        let unit = limit.unit.isEmpty ? "" : " " + limit.unit
        let least =
            limit.excludesLeast
            ? "above \(limit.range.lowerBound) to "
            : limit.range.lowerBound == 0 ? "" : "\(limit.range.lowerBound) to "
        return
            "| \(limit.what) | \(least)\(limit.range.upperBound)\(unit) | `\(limit.code.rawValue)` |"
    }

    @Test func `sums, differences and products saturate at the ends of the Int64 range`() {
        let numbers: [Int64] = [.min, .min + 1, -1, 0, 1, 1_000_000, .max - 1, .max]
        for left in numbers {
            for right in numbers {
                func held(_ exact: Int128) -> Int64 { Int64(clamping: exact) }
                let (a, b) = (Int128(left), Int128(right))
                #expect(left.saturatingAdd(right) == held(a + b))
                #expect(left.saturatingSubtract(right) == held(a - b))
                #expect(left.saturatingMultiply(right) == held(a * b))
            }
        }
        for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0, 1.5, -1.5] {
            let number = Int64(microsecondsOfSeconds: seconds)
            #expect(!seconds.isFinite || (number < 0) == (seconds < 0))
        }
    }
}
