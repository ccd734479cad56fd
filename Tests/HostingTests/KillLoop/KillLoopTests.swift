import Foundation
import NotificationModel
import TestSupport
import Testing

/// Faults 1 to 4 of `Tests/Faults.md`: the daemon is killed at random instants.
///
/// `make test-kill` runs these tests for longer.
@Suite(.serialized, .timeLimit(.minutes(300))) struct KillLoopTests {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test
    func `a killed daemon loses nothing and shows again only the requests that were in flight`()
        async throws
    {
        let loop = KillLoop(
            rounds: Self.number("TOCSIN_KILL_ROUNDS") ?? 12,
            seed: UInt64(Self.number("TOCSIN_KILL_SEED") ?? 1))
        let verdict = try await loop.run()
        print("kill loop: seed \(loop.seed), rounds \(loop.rounds), \(verdict.summary)")
        #expect(verdict.faults.isEmpty, "seed \(loop.seed)")
        #expect(verdict.fires > 0 && verdict.clicks > 0 && verdict.answers > 0)
        #expect(verdict.snoozes > 0 && verdict.repairs > 0 && verdict.interruptedRepairs > 0)
    }

    @Test func `a burst of requests is shown completely although the daemon is killed during it`()
        async throws
    {
        let count = Self.number("TOCSIN_KILL_BURST") ?? 160
        let burst = KillBurst(count: count, kills: count / 40)
        let verdict = try await burst.run()
        print("kill burst: \(burst.kills) kills, \(verdict.summary)")
        #expect(verdict.faults.isEmpty)
        #expect(verdict.adds == count && verdict.fires == count + verdict.twice)
    }
}
