import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport

/// A burst of requests, a hundred due in each second; the daemon is killed while it shows them.
struct KillBurst {
    let count: Int
    let kills: Int

    private static let clients = 8

    func run() async throws -> KillVerdict {
        try await KillDriver.withDaemon("a burst of \(count)") { stage, driver in
            try await add(to: stage)
            for kill in 1...kills {
                let step = kill * count / (kills + 1)
                try await stage.server.calls.wait(for: "popup \(step)") { $0.count >= step }
                try await driver.restart()
            }
            try await stage.untilNothingIsDue()
            return try await driver.verdict()
        }
    }

    private func add(to stage: KillStage) async throws {
        let (service, connection) = try await stage.client("burst")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<Self.clients {
                group.addTask { [count] in
                    for number in stride(from: client, to: count, by: Self.clients) {
                        let request = stage.request(
                            "b\(number)", after: 1 + Double(number) / 100)
                        try await service.add(request, attachments: [], for: stage.app)
                        stage.events.append(.added(request.identifier, isDue: true))
                    }
                }
            }
            try await group.waitForAll()
        }
        await connection.close()
    }
}
