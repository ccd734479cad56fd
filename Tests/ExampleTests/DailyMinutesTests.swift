import Foundation
import HostingSupport
import TestSupport
import Testing

/// The removal of today's requests, by clicks on a real server; `DailySeriesTests` tests which
/// requests are removed.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct DailyMinutesTests {
    private static let xfce = ServerCatalog.xfce
    private static let title = "Minute by minute"

    @Test(
        .enabled(if: xfce.isWanted, "\(xfce.skipReason)"), arguments: ["Got it", "Open"])
    func `a click on Got it or Open removes the rest of today's requests`(
        _ label: String
    ) async throws {
        try await run { example in
            try await example.session.waitUntilShown(Self.title)
            try await example.session.choose(label, of: Self.title)
            try await example.prints("Removed requests of today: 2.")
            try await example.prints(beginning: "Still pending: 18, next daily-")
            try await example.ends()
        }
    }

    @Test(
        .enabled(if: xfce.isWanted, "\(xfce.skipReason)"), arguments: ["Unlock", "Skip"])
    func `a click on Unlock or Skip removes no other request of today`(_ label: String) async throws
    {
        try await run(count: 10, seconds: 4) { example in
            try await example.prints("Scheduled: 70 in 7 days.")
            try await example.session.waitUntilShown(Self.title)
            try await example.session.choose(label, of: Self.title)
            try await example.prints("Answered: \(label.lowercased())")
            // Today's next notification comes only if its request is still there.
            let recorder = try await BusRecorder(example.session.bus)
            try await recorder.waitForAnswer(to: "Notify")
            await recorder.stop()
            #expect(!example.lines.contains { $0.hasPrefix("Removed requests of today") })
        }
    }

    /// Runs the example with `count` requests a day: the first is due soon, and `seconds` lie
    /// between two requests.
    ///
    /// The example gets a time zone in which it is about noon, so that its day does not end.
    private func run(
        count: Int = 3, seconds: Int = 3_600, _ body: (RunningExample) async throws -> Void
    ) async throws {
        var utc = Calendar(identifier: .gregorian)
        utc.timeZone = .gmt
        let offset = 12 - utc.component(.hour, from: Date())
        // Names of the `Etc/GMT` zones count westwards.
        let zone = "Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset))"
        try await RunningExample.with(
            "DailyMinutes", ["soon", "\(count)", "\(seconds)"], on: Self.xfce,
            environment: ["TZ": zone], body)
    }
}
