import DesktopBus
import Foundation
import NotificationModel
import TestSupport

/// A simulated user who clicks or dismisses some of the popups, one after another.
struct KillUser {
    /// The number of replies to `Status` after which an earlier click is stored.
    ///
    /// The daemon replies to `Status` after a commit of its store. A click may need several
    /// commits: the daemon first stores the click's popup and all earlier clicks and dismissals.
    private static let answers = 12
    /// The number of popups to choose from; older ones leave the list.
    private static let recent = 12

    private let stage: KillStage
    private let service: any NotificationService
    private let connection: BusConnection
    private var random: SeededGenerator
    private var clicked: Set<UInt32> = []

    init(on stage: KillStage, seed: UInt64) async throws {
        self.stage = stage
        (service, connection) = try await stage.client("user")
        random = SeededGenerator(seed: seed)
    }

    mutating func run() async throws {
        var seen = 0
        while !stage.isOver {
            let known = seen
            seen = try await stage.server.calls.wait(for: "a popup") { $0.count > known }.count
            try await act()
        }
        await connection.close()
    }

    private mutating func act() async throws {
        let choice = stage.server.calls.all.suffix(Self.recent).filter { !clicked.contains($0.id) }
        guard let call = choice.randomElement(using: &random),
            let kind = KillClick.Kind.allCases.randomElement(using: &random)
        else { return }
        clicked.insert(call.id)
        let life = stage.life
        do {
            switch kind {
            case .action: try await stage.server.click(call.id, "action.done")
            case .standard: try await stage.server.click(call.id, "default")
            case .dismissal: try await stage.server.close(call.id, reason: 2)
            }
        } catch is HarnessError {
            // Another request with the same identifier has replaced this one.
            return
        }
        stage.events.append(
            .clicked(
                KillClick(
                    title: call.summary, popup: call.id, kind: kind, poster: call.sender.rawValue,
                    life: life)))
        // The daemon holds a dismissal back for a while, because an action may follow. Its answers
        // to other calls do not show that the dismissal is stored.
        guard let life, kind != .dismissal, await isHeard(by: life) else { return }
        stage.events.append(.heard(popup: call.id))
    }

    private func isHeard(by life: Int) async -> Bool {
        do {
            try await stage.barrier(on: connection)
            for _ in 0..<Self.answers { _ = try await service.status() }
        } catch {
            return false
        }
        return stage.life == life
    }
}
