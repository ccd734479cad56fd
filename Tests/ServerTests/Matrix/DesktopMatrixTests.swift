import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Every trial on every server, from a request of a real `tocsind` to the screen and back.
///
/// A cell is one trial on one server. All cells of a server run in one session. The results go to a
/// file of JSON lines.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DesktopMatrixTests {
    @Test(.measured(ServerCatalog.dunst))
    func `every cell of dunst has the expected outcome`() async throws {
        try await fill(ServerCatalog.dunst)
    }

    @Test(.measured(ServerCatalog.gnome))
    func `every cell of GNOME Shell has the expected outcome`() async throws {
        try await fill(ServerCatalog.gnome)
    }

    @Test(.measured(ServerCatalog.plasma))
    func `every cell of Plasma has the expected outcome`() async throws {
        try await fill(ServerCatalog.plasma)
    }

    @Test(.measured(ServerCatalog.xfce))
    func `every cell of Xfce has the expected outcome`() async throws {
        try await fill(ServerCatalog.xfce)
    }

    @Test(.measured(ServerCatalog.cinnamon))
    func `every cell of Cinnamon has the expected outcome`() async throws {
        try await fill(ServerCatalog.cinnamon)
    }

    @Test(.measured(ServerCatalog.budgie))
    func `every cell of Budgie has the expected outcome`() async throws {
        try await fill(ServerCatalog.budgie)
    }

    @Test(.measured(ServerCatalog.mate))
    func `every cell of MATE has the expected outcome`() async throws {
        try await fill(ServerCatalog.mate)
    }

    @Test(.measured(ServerCatalog.lxqt))
    func `every cell of LXQt has the expected outcome`() async throws {
        try await fill(ServerCatalog.lxqt)
    }

    @Test(.measured(ServerCatalog.fallback))
    func `every cell of notification-daemon has the expected outcome`() async throws {
        try await fill(ServerCatalog.fallback)
    }

    @Test(.measured(ServerCatalog.mako))
    func `every cell of mako has the expected outcome`() async throws {
        try await fill(ServerCatalog.mako)
    }

    @Test(.measured(ServerCatalog.swaync))
    func `every cell of SwayNotificationCenter has the expected outcome`() async throws {
        try await fill(ServerCatalog.swaync)
    }

    private func fill(_ server: DesktopServer) async throws {
        try await ServerTrial.with(server) { trial in
            let presenter = try await trial.center.service.status().presenter
            let version = "\(presenter.name) \(presenter.version)"
            var records: [MatrixRecord] = []
            for cell in MatrixCell.allCases {
                let record = await measure(cell, server, version, &trial)
                records.append(record)
                // `print` is buffered, so its lines would appear at the end of the run.
                let line = "\(server.name): \(cell.rawValue): \(record.outcome)\n"
                FileHandle.standardError.write(Data(line.utf8))
            }
            try MatrixRecord.write(records, of: server)
            for record in records where !record.passed {
                let (cell, outcome) = (record.cell.rawValue, record.outcome)
                Issue.record("\(server.name), \(cell): \(outcome), expected \(record.expected)")
            }
        }
    }

    private func measure(
        _ cell: MatrixCell, _ server: DesktopServer, _ version: String,
        _ trial: inout ServerTrial
    ) async -> MatrixRecord {
        let start = ContinuousClock.now
        var outcome: String
        do {
            outcome = try await trial.outcome(of: cell)
        } catch {
            outcome = "failed: \(error)"
            _ = try? await trial.session.screenshot("failed-\(server.name)-\(cell.rawValue)")
            try? await trial.session.movePointerAway()
            try? await trial.clear()
        }
        let expected = MatrixExpectations.outcome(of: cell, on: server)
        return MatrixRecord(
            server: server.name, version: version,
            date: Date.now.formatted(.iso8601.year().month().day()), cell: cell,
            outcome: outcome, expected: expected, passed: outcome == expected,
            seconds: (ContinuousClock.now - start) / .seconds(1))
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs the test only if this run measures the server.
    fileprivate static func measured(_ server: DesktopServer) -> Self {
        .enabled(if: server.isMeasured, "\(server.unmeasuredReason)")
    }
}
