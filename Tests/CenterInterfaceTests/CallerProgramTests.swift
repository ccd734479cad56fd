import Foundation
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// Nothing that came over the bus is started but the very program that sent it.
@Suite struct CallerProgramTests {
    /// A `/proc` of a test's own, which goes with the object.
    private final class Processes: Sendable {
        let root = NSTemporaryDirectory() + "proc-" + UUID().uuidString

        init() throws {
            try makeProcess("self")
            try makeProcess("7")
        }

        deinit {
            try? FileManager.default.removeItem(atPath: root)
        }

        private func makeProcess(_ name: String) throws {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(name)/ns", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(name)/root", withIntermediateDirectories: true)
            for space in ["mnt", "pid", "user"] {
                try link("\(name)/ns/\(space)", to: "\(space):[4026531840]")
            }
            try link("\(name)/exe", to: "/usr/bin/app")
            try write("\(name)/cgroup", "0::/user.slice/app.slice/app-x.scope\n")
        }

        func link(_ name: String, to target: String) throws {
            try? FileManager.default.removeItem(atPath: "\(root)/\(name)")
            try FileManager.default.createSymbolicLink(
                atPath: "\(root)/\(name)", withDestinationPath: target)
        }

        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: "\(root)/\(name)", atomically: true, encoding: .utf8)
        }

        func remove(_ name: String) throws {
            try FileManager.default.removeItem(atPath: "\(root)/\(name)")
        }

        func runs(_ path: String = "/usr/bin/app") -> Bool {
            CallerProgram(process: 7, root: root).isRunning(path)
        }
    }

    @Test func theProgramThatRunsIsKnownAlsoAfterItWasReplaced() throws {
        let processes = try Processes()
        #expect(processes.runs())
        try processes.link("7/exe", to: "/usr/bin/app (deleted)")
        #expect(processes.runs())
    }

    @Test func anotherProgramIsNot() throws {
        let processes = try Processes()
        #expect(!processes.runs("/usr/bin/other"))
        #expect(!processes.runs("/usr/bin/../bin/app"))
        #expect(!CallerProgram(process: 8, root: processes.root).isRunning("/usr/bin/app"))
    }

    @Test(arguments: ["mnt", "pid", "user"])
    func aProgramThatSeesAnotherWorldIsNotStartedByItsPath(space: String) throws {
        let processes = try Processes()
        try processes.link("7/ns/\(space)", to: "\(space):[4026532000]")
        #expect(!processes.runs())
        try processes.remove("7/ns/\(space)")
        #expect(!processes.runs(), "what cannot be told counts as a sandbox")
    }

    @Test func aFlatpakAndASnapAreNotStartedByTheirPaths() throws {
        let flatpak = try Processes()
        try flatpak.write("7/root/.flatpak-info", "[Application]\nname=org.example.App\n")
        #expect(!flatpak.runs())
        let snap = try Processes()
        try snap.write("7/cgroup", "0::/user.slice/app.slice/snap.app.app-1.scope\n")
        #expect(!snap.runs())
        try snap.remove("7/cgroup")
        #expect(!snap.runs())
    }

    // MARK: Over a bus

    /// What the service hears of a client that says this of itself.
    private static func heard(_ identity: ApplicationIdentity) async throws -> ApplicationIdentity?
    {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        _ = try await client.connect(identity, asksBeforePresenting: false) { _ in }
        return await center.service.identities.last
    }

    private static func identity(
        _ executable: String, _ arguments: [String] = ["a", ""]
    ) -> ApplicationIdentity {
        var identity = ApplicationIdentity(
            id: .tocsin, name: "App", executable: executable, arguments: arguments,
            directory: "/tmp")
        identity.startsInBackground = true
        return identity
    }

    @Test func aClientIsBelievedWhichProgramItIsAndNothingElse() async throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(try await Self.heard(Self.identity(own)) == Self.identity(own))
        let plain = ApplicationIdentity(id: .tocsin, name: "App")
        #expect(try await Self.heard(Self.identity("/bin/sh", ["-c", "echo"])) == plain)
        #expect(try await Self.heard(Self.identity("")) == plain)
        let many = [String](repeating: "x", count: 257)
        #expect(try await Self.heard(Self.identity(own, many)) == plain)
    }
}
