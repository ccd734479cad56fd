import Dispatch
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Fault 9 of `Tests/Faults.md`: a daemon is killed at random while it takes over a store.
///
/// A development daemon has made the store; an installed daemon takes it over.
@Suite(.serialized) struct AdoptionKillTests {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// In each round a development daemon makes a new store.
    @Test(.timeLimit(.minutes(60)))
    func `a store moves exactly once to a daemon that is killed while it takes the store over`()
        async throws
    {
        let rounds = Self.number("TOCSIN_KILL_ROUNDS") ?? 20
        let seed = UInt64(Self.number("TOCSIN_KILL_SEED") ?? 1)
        var random = SeededGenerator(seed: seed)
        let (bus, app) = (try PrivateBus(), try ApplicationID("org.tocsin.Test"))
        var expected: Set<String> = []
        // The time that a take-over needs on this machine; the first take-over runs without a kill.
        var span: Duration?
        var kills = 0
        for round in 0..<rounds {
            let development = try await HostedService.startDaemon(
                on: bus, by: "exec \"$1\" --dev")
            let center = try await HostedService.client(on: bus)
            for number in 0..<12 {
                let request = Self.request("\(round) \(number)")
                try await center.add(request, attachments: [], for: app)
                expected.insert(request.identifier)
            }
            try await Self.remove(
                (0..<4).map { "\(round) \($0)" }, from: center, of: app, &expected)
            if Int.random(in: 0..<4, using: &random) == 0 {
                development.signal(SIGKILL)
                try await development.exit()
            }
            if let span {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    try await Self.killStart(on: bus, within: span, &random)
                    kills += 1
                }
            }
            let start = ContinuousClock.now
            let installed = try await HostedService.startDaemon(on: bus)
            span = span ?? (ContinuousClock.now - start)
            try await development.exit()
            let main = try await HostedService.client(on: bus)
            let found = try await main.pending(of: nil).map(\.request.identifier)
            #expect(found.sorted() == expected.sorted(), "seed \(seed), round \(round)")
            // Remove three requests: no later take-over of a store may bring them back.
            let gone = Array(expected.shuffled(using: &random).prefix(3))
            try await Self.remove(gone, from: main, of: app, &expected)
            installed.signal(SIGKILL)
            try await installed.exit()
        }
        print("adoption kill loop: seed \(seed), \(rounds) take-overs, \(kills) kills")
        #expect(kills >= rounds - 1)
    }

    /// Starts an installed daemon and kills it at a random instant of its start.
    private static func killStart(
        on bus: PrivateBus, within span: Duration, _ random: inout SeededGenerator
    ) async throws {
        let daemon = try RunningProgram(
            try HostedService.program("tocsind"), [], environment: bus.environment)
        let limit = Int(span / .microseconds(1))
        let pause = Int.random(in: 0...limit, using: &random)
        // The instant of the kill must be random, so this is a real delay.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(pause)) {
                continuation.resume()
            }
        }
        daemon.signal(SIGKILL)
        try await daemon.exit()
    }

    private static func remove(
        _ names: [String], from center: any NotificationService, of app: ApplicationID,
        _ expected: inout Set<String>
    ) async throws {
        try await center.removePending(.identifiers(names), of: app)
        expected.subtract(names)
    }

    private static func request(_ identifier: String) -> NotificationRequest {
        NotificationRequest(
            identifier: identifier, content: NotificationContent(title: identifier),
            trigger: .interval(seconds: 100_000, repeats: false))
    }
}
