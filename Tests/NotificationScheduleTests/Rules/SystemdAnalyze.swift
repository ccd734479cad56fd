import Foundation
import NotificationModel
import NotificationSchedule
import TestSupport

/// Runs `systemd-analyze calendar` for many expressions at once.
enum SystemdAnalyze {
    /// The tool's output for an expression that the tool accepts.
    struct Answer: Equatable {
        var normalized: String
        /// Seconds since 1970.
        var dates: [Int64]
    }

    static let program = "systemd-analyze"

    /// Whether the comparison runs.
    ///
    /// It runs if the tool is installed. If `TOCSIN_REQUIRE_SYSTEMD` is set, it always runs, and
    /// fails without the tool.
    static var isWanted: Bool {
        ProcessInfo.processInfo.environment["TOCSIN_REQUIRE_SYSTEMD"] != nil
            || RunningProgram.path(of: program) != nil
    }

    /// Returns the answers by expression, without the expressions that the tool refuses.
    ///
    /// `gaveUp` holds the expressions for which the tool gave up the search for a date.
    static func answers(
        to expressions: [String], after base: Instant, count: Int
    ) async throws -> (answers: [String: Answer], gaveUp: Set<String>) {
        guard let path = RunningProgram.path(of: program) else {
            throw HarnessError("\(program) is not installed: apt-get install systemd")
        }
        let seconds = base.microseconds / 1_000_000
        let arguments =
            ["calendar", "--iterations=\(count)", "--base-time=@\(seconds)"] + expressions
        let environment = ["TZ": "UTC", "LC_ALL": "C", "PATH": "/usr/bin:/bin"]
        let errors = NSTemporaryDirectory() + "/" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: errors) }
        let process = try ChildProcess(
            path, arguments, environment: environment, errorFile: errors)
        var answers: [String: Answer] = [:]
        var (original, expression) = ("", "")
        for line in await process.finish().output.split(separator: "\n") {
            guard let colon = line.range(of: ": ") else { continue }
            let key = line[..<colon.lowerBound].trimmingCharacters(in: .whitespaces)
            let value = String(line[colon.upperBound...])
            switch key {
            case "Original form": original = value
            case "Normalized form":
                // An expression that is its own normalized form is printed once.
                expression = original.isEmpty ? value : original
                original = ""
                answers[expression] = Answer(normalized: value, dates: [])
            case "Next elapse": answers[expression]?.dates += date(value).map { [$0] } ?? []
            case _ where key.hasPrefix("Iter"):
                answers[expression]?.dates += date(value).map { [$0] } ?? []
            default: continue
            }
        }
        let said = FileManager.default.contents(atPath: errors) ?? Data()
        let failures = String(decoding: said, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("Failed to determine next elapse for") }
            .compactMap { $0.split(separator: "'").dropFirst().first.map(String.init) }
        return (answers, Set(failures))
    }

    /// Reads a date such as `Mon 2024-03-04 01:30:00 UTC`.
    private static func date(_ text: String) -> Int64? {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 6 else { return nil }
        return CivilTime(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3],
            minute: numbers[4], second: numbers[5]
        ).seconds
    }
}
