import Foundation
import HostingSupport
import NotificationModel
import TestSupport

/// An app that acknowledges each response.
struct KillApp {
    private let stage: KillStage
    private let service: any NotificationService
    private let responses: AsyncStream<Int64>
    private let input: AsyncStream<Int64>.Continuation

    init(on stage: KillStage) async throws {
        self.stage = stage
        (service, _) = try await stage.client("app")
        (responses, input) = AsyncStream.makeStream(of: Int64.self)
    }

    /// Connects the app; the service connects it again to each later daemon.
    func connect() async throws {
        try await service.setCategories(stage.categories, of: stage.app)
        let (events, input) = (stage.events, input)
        _ = try await service.connect(
            ApplicationIdentity(id: stage.app, name: "Test App"), asksBeforePresenting: false,
            identifiers: nil
        ) { event in
            guard case .response(let response) = event else { return }
            events.append(
                .answered(id: response.id, response.notification.request.content.title))
            input.yield(response.id)
        }
    }

    /// Acknowledges responses until the run ends.
    func run() async throws {
        for await id in responses {
            while try await !acknowledge(id) { try await stage.untilAlive() }
            stage.events.append(.acknowledged(id: id))
        }
    }

    /// Returns false if the daemon died during the call.
    private func acknowledge(_ id: Int64) async throws -> Bool {
        do {
            try await service.acknowledge(id, of: stage.app)
            return true
        } catch {
            guard error.code == .noDaemon else { throw error }
            return false
        }
    }

    func finish() {
        input.finish()
    }
}
