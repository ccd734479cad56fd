import Foundation
import NotificationModel
import NotificationRuntime
import TestSupport
import Testing

/// The hidden mode of `tocsind`: what it takes, and what it says where there is nothing.
@Suite struct SimulationTests {
    private static func configuration(state: String) -> Configuration {
        Configuration(
            environment: ["XDG_STATE_HOME": state, "XDG_RUNTIME_DIR": state], executable: "/x",
            directory: "/", userID: geteuid(), machineID: "machine")
    }

    @Test func aPlanIsReadFromTheCommandLineThatTheToolWrites() throws {
        let plan = try #require(
            SimulationPlan(arguments: [
                "simulate", "--from", "5", "--until", "9", "--tz", "Asia/Tokyo", "--suspend",
                "every day at 23:00", "--suspend-length", "7", "--limit", "3", "--store", "/a/b",
            ]))
        var wanted = SimulationPlan(end: Instant(microseconds: 9))
        wanted.start = Instant(microseconds: 5)
        (wanted.timeZone, wanted.suspendRule) = ("Asia/Tokyo", "every day at 23:00")
        (wanted.suspendLength, wanted.limit, wanted.store) = (7, 3, "/a/b")
        #expect(plan == wanted)
    }

    @Test(
        arguments: [
            [], ["serve"], ["simulate", "--from"], ["simulate", "--frob", "1"],
            ["simulate", "--tz", "UTC", "--limit"],
        ])
    func anythingElseIsNone(arguments: [String]) {
        #expect(SimulationPlan(arguments: arguments) == nil)
    }

    @Test func withoutAStoreTheOnlyLineIsTheError() async throws {
        let state = FileManager.default.temporaryDirectory.path + "/simulation-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: state) }
        let lines = Recording<String>()
        let simulation = Simulation(
            configuration: Self.configuration(state: state),
            plan: SimulationPlan(end: Instant(microseconds: .max)))
        let isDone = await simulation.run(until: StopSignal()) { line in
            lines.append(line)
            return true
        }
        #expect(!isDone)
        #expect(lines.all.count == 1)
        let line = try #require(lines.all.first)
        #expect(line.contains(#""kind":"error""#) && line.contains(#""code":"StoreUnavailable""#))
        #expect(line.contains("There is no store"))
        #expect(!FileManager.default.fileExists(atPath: state), "nothing is made")
    }
}
