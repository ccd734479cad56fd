import DesktopBus
import Foundation
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// For a caller, the daemon starts only the program that the caller itself runs.
@Suite(.timeLimit(.minutes(2))) struct CallerProgramTests {
    /// A `/proc` made by the test, removed with this object.
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
                atPath: root + "/world", withIntermediateDirectories: true)
            try link("\(name)/root", to: root + "/world")
            try write("\(name)/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n")
            try write("\(name)/stat", Self.stat(start: 500))
            for space in ["mnt", "pid", "user"] {
                try link("\(name)/ns/\(space)", to: "\(space):[4026531840]")
            }
            try link("\(name)/exe", to: "/usr/bin/app")
            try write("\(name)/cgroup", "0::/user.slice/app.slice/app-x.scope\n")
        }

        /// Field 22 is the start time; the name may contain spaces and parentheses.
        static func stat(start: UInt64) -> String {
            "7 (a) b) S" + String(repeating: " 0", count: 18) + " \(start) 0 0\n"
        }

        var facts: CallerFacts { facts(of: 7) }

        func facts(of process: UInt32) -> CallerFacts {
            let program = CallerProgram(process: process, root: root)
            return program.facts(user: 1, label: nil, sharesOurWorld: program.sharesOurWorld)
        }

        func sameness(asked: UInt64) -> CallerProgram.Sameness {
            CallerProgram(process: 7, root: root).sameness(asked: asked)
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
            CallerRights(facts, user: 1).runs(path)
        }
    }

    @Test func `a running program is recognized after its file was replaced`() throws {
        let processes = try Processes()
        #expect(processes.runs())
        try processes.link("7/exe", to: "/usr/bin/app (deleted)")
        #expect(processes.runs())
    }

    /// An app that first uses the centre after its upgrade must not get another id.
    ///
    /// With another id, no click would start it again.
    @Test func `a program has the same path after its file was replaced`() throws {
        let processes = try Processes()
        let path = processes.root + "/app"
        #expect(CompanionProgram.path(ofLink: path) == path)
        #expect(CompanionProgram.path(ofLink: path + " (deleted)") == path)
        try processes.write("app (deleted)", "")
        #expect(CompanionProgram.path(ofLink: path + " (deleted)") == path + " (deleted)")
    }

    @Test func `a claimed path is refused if the caller runs another program`() throws {
        let processes = try Processes()
        #expect(!processes.runs("/usr/bin/other"))
        #expect(!processes.runs("/usr/bin/../bin/app"))
        let gone = processes.facts(of: 8)
        #expect(!CallerRights(gone, user: 1).runs("/usr/bin/app"))
        #expect(CallerRights(gone, user: 1).scope == .unknownSandbox)
    }

    @Test(arguments: ["mnt", "pid", "user"])
    func `a program in other namespaces is not started by its path`(space: String) throws {
        let processes = try Processes()
        try processes.link("7/ns/\(space)", to: "\(space):[4026532000]")
        #expect(!processes.runs())
        try processes.remove("7/ns/\(space)")
        #expect(!processes.runs(), "a namespace that cannot be read counts as a sandbox")
    }

    @Test func `a flatpak and a snap are not started by their paths`() throws {
        let flatpak = try Processes()
        try flatpak.write("world/.flatpak-info", "[Application]\nname=org.example.App\n")
        #expect(!flatpak.runs())
        #expect(flatpak.facts.flatpak == .info("[Application]\nname=org.example.App\n"))
        let snap = try Processes()
        try snap.write("7/cgroup", "0::/user.slice/app.slice/snap.app.app-1.scope\n")
        #expect(!snap.runs())
    }

    @Test func `a program with another root is not started by its path`() throws {
        let processes = try Processes()
        try FileManager.default.createDirectory(
            atPath: processes.root + "/jail", withIntermediateDirectories: true)
        try processes.link("7/root", to: processes.root + "/jail")
        #expect(!processes.runs())
        #expect(!processes.facts.sharesOurWorld)
        #expect(processes.facts.flatpak == .none)
    }

    @Test func `a Flatpak information file that could block the reader is not opened`() throws {
        let pipe = try Processes()
        #expect(mkfifo(pipe.root + "/world/.flatpak-info", 0o600) == 0)
        #expect(pipe.facts.flatpak == .info(nil))
        let link = try Processes()
        try link.link("world/.flatpak-info", to: "/etc/passwd")
        #expect(link.facts.flatpak == .info(nil))
        for mount in ["/", "/.flatpak-info"] {
            let served = try Processes()
            try served.link("7/ns/mnt", to: "mnt:[1]")
            #expect(served.facts.flatpak == .none)
            try served.write("7/mountinfo", "22 1 0:50 / \(mount) rw shared:1 - fuse.sshfs x rw\n")
            #expect(served.facts.flatpak == .info(nil))
        }
    }

    @Test func `a process that began after the caller was seen is not the caller`() throws {
        let processes = try Processes()
        #expect(processes.sameness(asked: 501) == .sure)
        #expect(processes.sameness(asked: 500) == .young)
        #expect(processes.sameness(asked: 499) == .other)
        try processes.remove("7/stat")
        #expect(processes.sameness(asked: 501) == .other)
    }

    /// The test uses the read end of a pipe as a pidfd.
    ///
    /// A pidfd becomes readable when its process ends, and the pipe when its last writer closes it.
    @Test func `a pidfd from the bus identifies the caller's process until the process ends`()
        throws
    {
        let process = Pipe()
        let handle = try BusDescriptor(duplicating: process.fileHandleForReading.fileDescriptor)
        let program = CallerProgram(process: UInt32(getpid()), handle: handle)
        #expect(program.sameness(asked: 0) == .sure)
        try process.fileHandleForWriting.close()
        #expect(program.sameness(asked: .max) == .other)
    }

    @Test func `this program is not recognized as sandboxed`() throws {
        let asked = CallerProgram.now()
        let own = CallerProgram(process: UInt32(getpid()))
        #expect(own.sameness(asked: asked + 1) != .other)
        #expect(own.sharesOurWorld)
        for (user, scope) in [(1, .user), (2, .stranger)] as [(UInt32, CallerRights.Scope)] {
            let facts = own.facts(user: user, label: nil, sharesOurWorld: true)
            #expect(CallerRights(facts, user: 1).scope == scope)
        }
    }

    // MARK: Over a bus

    /// Returns the identity that the service receives from a client that claims this identity.
    private static func heard(_ identity: ApplicationIdentity) async throws -> ApplicationIdentity?
    {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        _ = try await client.connect(identity, asksBeforePresenting: false) { _ in }
        return center.service.inputs(of: Members.connect).last?.identity
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

    @Test func `a client's claim about its program is dropped if the client runs another program`()
        async throws
    {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(try await Self.heard(Self.identity(own)) == Self.identity(own))
        let plain = ApplicationIdentity(id: .tocsin, name: "App")
        #expect(try await Self.heard(Self.identity("/bin/sh", ["-c", "echo"])) == plain)
        #expect(try await Self.heard(Self.identity("")) == plain)
        let many = [String](repeating: "x", count: 257)
        #expect(try await Self.heard(Self.identity(own, many)) == plain)
    }
}
