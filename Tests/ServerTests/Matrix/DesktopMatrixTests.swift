import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Every server, everything that is tried on each: the whole way from a request by a real `tocsind`
/// to the screen, and back by a click.
///
/// One session per server serves all its cells; what they find goes to a file of lines.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DesktopMatrixTests {
    @Test(.measured(ServerCatalog.dunst))
    func everyCellOfDunst() async throws { try await fill(ServerCatalog.dunst) }

    @Test(.measured(ServerCatalog.gnome))
    func everyCellOfGNOMEShell() async throws { try await fill(ServerCatalog.gnome) }

    @Test(.measured(ServerCatalog.plasma))
    func everyCellOfPlasma() async throws { try await fill(ServerCatalog.plasma) }

    @Test(.measured(ServerCatalog.xfce))
    func everyCellOfXfce() async throws { try await fill(ServerCatalog.xfce) }

    @Test(.measured(ServerCatalog.cinnamon))
    func everyCellOfCinnamon() async throws { try await fill(ServerCatalog.cinnamon) }

    @Test(.measured(ServerCatalog.budgie))
    func everyCellOfBudgie() async throws { try await fill(ServerCatalog.budgie) }

    @Test(.measured(ServerCatalog.mate))
    func everyCellOfMATE() async throws { try await fill(ServerCatalog.mate) }

    @Test(.measured(ServerCatalog.lxqt))
    func everyCellOfLXQt() async throws { try await fill(ServerCatalog.lxqt) }

    @Test(.measured(ServerCatalog.fallback))
    func everyCellOfTheFallback() async throws { try await fill(ServerCatalog.fallback) }

    @Test(.measured(ServerCatalog.mako))
    func everyCellOfMako() async throws { try await fill(ServerCatalog.mako) }

    @Test(.measured(ServerCatalog.swaync))
    func everyCellOfSwayNotificationCenter() async throws { try await fill(ServerCatalog.swaync) }

    private func fill(_ server: DesktopServer) async throws {
        try await ServerTrial.with(server) { trial in
            let presenter = try await trial.center.service.status().presenter
            let version = "\(presenter.name) \(presenter.version)"
            var records: [MatrixRecord] = []
            for cell in MatrixCell.allCases {
                let record = await measure(cell, server, version, &trial)
                records.append(record)
                // Not by `print`, whose lines would come with the last one.
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
            try? await trial.session.leave()
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
    /// Only where this server was asked for.
    fileprivate static func measured(_ server: DesktopServer) -> Self {
        .enabled(if: server.isMeasured, "\(server.unmeasuredReason)")
    }
}
