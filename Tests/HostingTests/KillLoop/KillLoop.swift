import Foundation
import HostingSupport
import NotificationEngine
import NotificationModel
import TestSupport

/// Kills a daemon on a private bus at random instants while clients, a user and an app use it.
///
/// It owns the number of kills and the seed.
///
/// It promises a verdict on the outcome.
///
/// It never repeats the exact instants: the seed repeats only the random choices.
struct KillLoop {
    /// How many times the daemon is killed.
    let rounds: Int
    /// The seed of the random choices.
    let seed: UInt64

    private static let clients = 3
    private static let repeats = stride(from: 0, to: 60, by: 5)

    /// Runs and returns the verdict; throws if an expected event never came.
    func run() async throws -> KillVerdict {
        try await KillDriver.withDaemon("seed \(seed)") { stage, driver in
            try await run(on: stage, driver)
        }
    }

    private func run(on stage: KillStage, _ driver: KillDriver) async throws -> KillVerdict {
        let app = try await KillApp(on: stage)
        try await app.connect()
        try await addRepeats(to: stage)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await driver.date() }
            group.addTask { try await app.run() }
            try await work(on: stage, driver)
            try await settle(stage)
            app.finish()
            group.cancelAll()
            try await group.waitForAll()
        }
        return try await driver.verdict()
    }

    private func work(on stage: KillStage, _ driver: KillDriver) async throws {
        let seed = seed
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...Self.clients {
                group.addTask {
                    var client = try await KillClient(
                        "c\(number)", on: stage, seed: seed &+ UInt64(number))
                    try await client.run()
                }
            }
            group.addTask {
                var user = try await KillUser(on: stage, seed: seed &* 31)
                try await user.run()
            }
            group.addTask { try await kill(stage, driver) }
            try await group.waitForAll()
        }
    }

    private func kill(_ stage: KillStage, _ driver: KillDriver) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<rounds { try await driver.round(using: &random) }
        stage.finish()
        // Add one more popup, or the simulated user would wait for ever.
        let (service, _) = try await stage.client("end")
        try await service.add(stage.request("end"), attachments: [], for: stage.app)
    }

    private func addRepeats(to stage: KillStage) async throws {
        let (service, _) = try await stage.client("repeats")
        for second in Self.repeats {
            var components = CalendarComponents()
            components.second = second
            var request = stage.request("every.\(second)")
            request.trigger = .calendar(components, repeats: true)
            try await service.add(request, attachments: [], for: stage.app)
            stage.events.append(.repeating(request.identifier, second: second, at: Date()))
        }
    }

    /// Returns when no due request is pending, and the last daemon has passed on every click.
    private func settle(_ stage: KillStage) async throws {
        try await stage.untilNothingIsDue()
        let life = stage.life
        try await stage.events.wait(for: "the answers to the last clicks") { events in
            // Two tasks record answers and clicks, so an answer may be recorded before its click.
            var (clicked, answered, uncertain) = (Set<String>(), Set<String>(), Set<String>())
            for event in events {
                switch event {
                case .killed(let autopsy, _):
                    uncertain.formUnion(autopsy.presenting)
                    answered = []
                case .snoozed(let name, _), .maybeSnoozed(let name): uncertain.insert(name)
                case .clicked(let click) where click.life == life: clicked.insert(click.title)
                case .answered(_, let title): answered.insert(title)
                default: break
                }
            }
            return clicked.subtracting(answered).isSubset(of: uncertain)
        }
        try await stage.events.wait(for: "the last acknowledgements") { events in
            var open: Set<Int64> = []
            for event in events {
                switch event {
                case .answered(let id, _): open.insert(id)
                case .acknowledged(let id): open.remove(id)
                default: break
                }
            }
            return open.isEmpty
        }
    }
}
