import DesktopBus
import Foundation
import NotificationModel
import TestSupport

/// A client that adds, replaces, snoozes and removes requests as fast as it gets answers.
///
/// It owns one connection.
///
/// It promises to record each answer, and each call that its daemon did not answer.
///
/// While more than 60 due requests are not shown yet, it never acts more than once for each popup.
struct KillClient {
    /// A time after the end of every run, in seconds.
    private static let later = 86_400.0

    private let name: String
    private let stage: KillStage
    private let service: any NotificationService
    private let connection: BusConnection
    private var random: SeededGenerator

    init(_ name: String, on stage: KillStage, seed: UInt64) async throws {
        self.name = name
        self.stage = stage
        (service, connection) = try await stage.client(name)
        random = SeededGenerator(seed: seed)
    }

    mutating func run() async throws {
        var count = 0
        while !stage.isOver {
            count += 1
            try await stage.untilAlive()
            try await act("\(name).\(count)")
            try await pace()
        }
        await connection.close()
    }

    /// Waits for the next popup if more than 60 due requests are not shown yet.
    private func pace() async throws {
        let asked = stage.asked.all.count
        let shown = stage.server.calls.all.count
        guard asked > shown + 60, !stage.isOver else { return }
        try await stage.server.calls.wait(for: "popups of what is due") { $0.count > shown }
    }

    private mutating func act(_ identifier: String) async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60:
            let seconds = Double.random(in: 0.05...1.5, using: &random)
            if try await add(identifier, after: Bool.random(using: &random) ? nil : seconds) {
                stage.asked.append(identifier)
            }
        case 60..<66: try await add(identifier, after: Self.later)
        case 66..<74:
            guard try await add(identifier, after: .random(in: 0.01...0.5, using: &random)) else {
                return
            }
            try await snooze(identifier)
        case 74..<88:
            guard try await add(identifier, after: .random(in: 0.01...0.5, using: &random)) else {
                return
            }
            try await remove(identifier)
        default:
            guard try await add(identifier, title: "old", after: Self.later) else { return }
            try await add(identifier, after: Bool.random(using: &random) ? nil : 0.1)
        }
    }

    /// Adds a request and records the answer; false if the daemon died.
    @discardableResult
    private func add(
        _ identifier: String, title: String? = nil, after seconds: Double? = nil
    ) async throws -> Bool {
        let request = stage.request(identifier, title: title, after: seconds)
        do {
            try await service.add(request, attachments: [], for: stage.app)
        } catch {
            guard error.code == .noDaemon else { throw error }
            stage.events.append(.maybeAdded(identifier))
            return false
        }
        stage.events.append(.added(identifier, isDue: seconds ?? 0 < 60))
        return true
    }

    private func remove(_ identifier: String) async throws {
        do {
            try await service.removePending(.identifiers([identifier]), of: stage.app)
        } catch {
            guard error.code == .noDaemon else { throw error }
            stage.events.append(.maybeRemoved(identifier))
            return
        }
        // When the server answers this call, it has received all calls that the daemon made before
        // the daemon answered the removal.
        try await stage.barrier(on: connection)
        stage.events.append(.removed(identifier, calls: stage.server.calls.all.count))
    }

    /// Snoozes a request by a day, whether it is pending or on the screen.
    private func snooze(_ identifier: String) async throws {
        do {
            _ = try await service.snooze(identifier, of: stage.app, for: Self.later)
        } catch {
            // The user has already answered the notification, so nothing is left to snooze.
            if error.code == .invalidArgument { return }
            guard error.code == .noDaemon else { throw error }
            stage.events.append(.maybeSnoozed(identifier))
            return
        }
        try await stage.barrier(on: connection)
        stage.events.append(.snoozed(identifier, calls: stage.server.calls.all.count))
    }
}
