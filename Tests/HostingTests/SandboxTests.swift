import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A real daemon, called by programs in real sandboxes.
@Suite(.timeLimit(.minutes(5))) struct SandboxTests {
    private static let sandboxes = [["-m"], ["-p", "-f"], ["-U", "--map-current-user"]]

    private struct Stage {
        let bus: PrivateBus
        let tool: String
    }

    private static func run(_ body: (Stage) async throws -> Void) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let daemon = try await HostedService.startDaemon(on: bus)
            do {
                try await body(Stage(bus: bus, tool: try HostedService.program("tocsin")))
            } catch {
                await daemon.stop()
                throw HarnessError("\(error)\n\(daemon.said)")
            }
            await daemon.stop()
            await server.stop()
        }
    }

    private static func call(
        _ stage: Stage, _ wrapper: [String], _ arguments: [String]
    ) async throws -> (status: Int32, said: String) {
        let words = wrapper + [stage.tool] + arguments
        let program = try RunningProgram(
            words[0], Array(words.dropFirst()), environment: stage.bus.environment)
        let status = try await program.exit()
        return (status, try await program.allSaid())
    }

    /// Both the error of a command and `doctor` must explain the refusal.
    @Test(.enabled(if: Jail.canUnshare(["-m"]), "this user may not make namespaces"))
    func `a caller in a container gets an error with reason and remedy`() async throws {
        try await Self.run { stage in
            let (status, said) = try await Self.call(stage, ["unshare", "-m"], ["list"])
            #expect(status == 77)
            for part in ["container or sandbox that names no app", "PrivateTmp", "Run it outside"] {
                #expect(said.contains(part), "\(said)")
            }
            let doctor = try await Self.call(stage, ["unshare", "-m"], ["doctor"])
            #expect(doctor.status == 77)
            for part in ["✓ Bus", "✗ Daemon", "container", "✓ Clock", "Scripted 1 by Tests"] {
                #expect(doctor.said.contains(part), "\(doctor.said)")
            }
            let json = try await Self.call(stage, ["unshare", "-m"], ["doctor", "--json"])
            #expect(json.status == 77)
            #expect(
                json.said.contains(
                    #""server":{"name":"Scripted","vendor":"Tests","version":"1","#
                        + #""specification":"1.2","capabilities":["actions","#), "\(json.said)")
        }
    }

    @Test(
        .enabled(if: Jail.canUnshare(["-m"]), "this user may not make namespaces"),
        arguments: sandboxes)
    func `a program in namespaces of its own is refused with the reason`(
        flags: [String]
    ) async throws {
        if !Jail.canUnshare(flags) {
            try Test.cancel("unshare \(flags.joined(separator: " ")) is not allowed here")
        }
        try await Self.run { stage in
            for arguments in [
                ["send", "hello"], ["schedule", "tea", "--in", "1h"], ["list", "--all-apps"],
                ["settings", "org.example.App", "--allow"], ["badge", "org.example.App", "1"],
                ["remove", "--all"],
            ] {
                let (status, said) = try await Self.call(stage, ["unshare"] + flags, arguments)
                #expect(status == 77, "\(arguments): \(said)")
                #expect(said.contains("sandbox"), "\(arguments): \(said)")
            }
            let outside = try await Self.call(stage, [], ["list", "--all-apps"])
            #expect(outside.status == 0)
            #expect(!outside.said.contains("tea"))
        }
    }

    @Test(
        .enabled(if: Jail.isPossible, "\(Jail.skipReason)"))
    func `a flatpak has access only to its own app`() async throws {
        try await Self.run { stage in
            let wrapper = try Jail.wrapper(
                root: stage.bus.directory + "/jail", app: "org.example.Inside")
            let own = ["--app", "org.example.Inside"]
            // The user was not asked about the app yet, so the daemon refuses the call.
            let undecided = try await Self.call(
                stage, wrapper, ["schedule", "tea", "--in", "1h"] + own)
            #expect(undecided.status == 77, "\(undecided.said)")
            let allowed = try await Self.call(
                stage, [], ["settings", "org.example.Inside", "--allow"])
            #expect(allowed.status == 0, "\(allowed.said)")
            for arguments in [
                ["schedule", "tea", "--in", "1h"] + own, ["list"] + own,
                ["badge", "org.example.Inside", "1"], ["remove", "--all"] + own,
            ] {
                let (status, said) = try await Self.call(stage, wrapper, arguments)
                #expect(status == 0, "\(arguments): \(said)")
            }
            // The times at which a region request fires would tell the app where the user is.
            let place = ["schedule", "tea", "--near", "52,13", "--radius", "200"]
            let refused = try await Self.call(stage, wrapper, place + own)
            #expect(refused.status == 77, "\(refused.said)")
            #expect(refused.said.contains("runs in a sandbox, which hides the location"))
            for arguments in [
                ["send", "hello"], ["list", "--all-apps"], ["list", "--app", "org.example.Other"],
                ["settings", "org.example.Inside", "--allow"], ["settings"],
                ["remove", "--all", "--app", "org.example.Other"],
            ] {
                let (status, said) = try await Self.call(stage, wrapper, arguments)
                #expect(status == 77, "\(arguments): \(said)")
                #expect(said.contains("org.example.Inside runs in a sandbox"), "\(said)")
            }
        }
    }
}
