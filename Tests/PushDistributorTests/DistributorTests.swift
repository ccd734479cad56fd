import DesktopBus
import Foundation
import NotificationModel
import PushDistributor
import TestSupport
import Testing

/// `tocsin-distributor` as a real program, between a private bus and an ntfy server.
@Suite(.timeLimit(.minutes(2))) struct DistributorTests {
    /// A bus, an ntfy server, the distributor, and an app that can register with the distributor.
    private final class Stage {
        let bus: PrivateBus
        let kind: NtfyServer.Kind
        let host = NtfyServer.freeHost()
        let app: TestConnector
        var server: NtfyServer
        private var program: RunningProgram?

        init(_ kind: NtfyServer.Kind, version: Int) async throws {
            bus = try PrivateBus()
            self.kind = kind
            server = try await NtfyServer(kind, host: host, in: bus.directory)
            app = try await TestConnector(on: bus, version: version)
        }

        func startDistributor(server: String? = nil) async throws {
            program = try await DistributorProgram.start(on: bus, server: server)
        }

        func killDistributor() async throws {
            program?.signal(SIGKILL)
            try await program?.exit()
            program = nil
        }

        /// The program's output on standard error.
        var said: String { program?.said ?? "" }

        func restartServer() async throws {
            await server.stop()
            server = try await NtfyServer(kind, host: host, in: bus.directory)
        }

        func stop() async {
            await program?.stop()
            await server.stop()
            await app.close()
        }
    }

    private static func onStage(
        _ kind: NtfyServer.Kind, version: Int = 2, _ body: (Stage) async throws -> Void
    ) async throws {
        if kind == .real, !NtfyServer.isInstalled {
            try Test.cancel("ntfy is not installed: Debian has it from version 13 on")
        }
        let stage = try await Stage(kind, version: version)
        do {
            try await stage.startDistributor(server: stage.server.address)
            try await body(stage)
        } catch {
            await stage.stop()
            throw error
        }
        await stage.stop()
    }

    private func post(_ bodies: [UInt8]..., to endpoint: String) async throws {
        try await post(bodies, to: endpoint)
    }

    /// Posts one message after another.
    private func post(_ bodies: [[UInt8]], to endpoint: String) async throws {
        let sent = try await RunningProgram.run(
            "/usr/bin/python3",
            [
                "-c",
                "import sys, urllib.request; "
                    + "[urllib.request.urlopen(sys.argv[1], bytes.fromhex(body)).close() "
                    + "for body in sys.argv[2:]]",
                endpoint,
            ] + bodies.map { $0.map { String(format: "%02x", $0) }.joined() })
        #expect(sent.isEmpty)
    }

    @Test(arguments: NtfyServer.Kind.allCases, [2, 1])
    func `a message that is posted to the endpoint reaches the app unchanged`(
        kind: NtfyServer.Kind, version: Int
    ) async throws {
        try await Self.onStage(kind, version: version) { stage in
            let endpoint = try await stage.app.register("token")
            #expect(endpoint.hasPrefix(stage.server.address + "/up"))
            let body: [UInt8] = (0..<200).map { UInt8($0) &+ 100 }
            try await post(body, to: endpoint)
            let message = try await stage.app.messages.first(1)[0]
            #expect(message.token == "token")
            #expect(message.body == body)
            #expect(!message.id.isEmpty)
        }
    }

    @Test(arguments: NtfyServer.Kind.allCases)
    func `a message that the app did not answer comes again after the distributor was killed`(
        kind: NtfyServer.Kind
    ) async throws {
        try await Self.onStage(kind) { stage in
            let endpoint = try await stage.app.register("token")
            await stage.app.holdAnswers()
            try await post([1, 255], to: endpoint)
            let first = try await stage.app.messages.first(1)[0]
            try await stage.killDistributor()
            await stage.app.answer()
            // This message comes while no distributor runs.
            try await post([2, 255], to: endpoint)
            try await stage.startDistributor()
            let all = try await stage.app.messages.first(3)
            #expect(all.count { $0 == first } == 2)
            #expect(all.contains { $0.body == [2, 255] })
        }
    }

    @Test(arguments: NtfyServer.Kind.allCases)
    func `messages arrive again after a restart of the server`(kind: NtfyServer.Kind) async throws {
        try await Self.onStage(kind) { stage in
            let endpoint = try await stage.app.register("token")
            try await post([1, 255], to: endpoint)
            _ = try await stage.app.messages.first(1)
            try await stage.restartServer()
            try await post([2, 255], to: endpoint)
            let all = try await stage.app.messages.first(2)
            #expect(all.map(\.body) == [[1, 255], [2, 255]])
        }
    }

    // A server that sends old messages again mixes new ones into them, so an old message may come
    // after a new one.
    @Test(arguments: NtfyServer.Kind.allCases)
    func `each message arrives once, even if more are stored than may wait at once`(
        kind: NtfyServer.Kind
    ) async throws {
        try await Self.onStage(kind) { stage in
            let endpoint = try await stage.app.register("token")
            try await stage.killDistributor()
            let bodies: [[UInt8]] = (0..<600).map { [UInt8($0 / 256), UInt8($0 % 256), 255] }
            try await post(bodies, to: endpoint)
            await stage.app.holdAnswers()
            try await stage.startDistributor()
            _ = try await stage.app.messages.first(256)
            await stage.app.answer()
            _ = try await stage.app.messages.first(bodies.count)
            try await post([255], to: endpoint)
            let all = try await stage.app.messages.first(bodies.count + 1)
            #expect(Set(all.map(\.body)) == Set(bodies + [[255]]))
        }
    }

    @Test func `messages above the limit arrive later, even if the state cannot be written`()
        async throws
    {
        try await Self.onStage(.double) { stage in
            let endpoint = try await stage.app.register("token")
            try await stage.killDistributor()
            let bodies: [[UInt8]] = (0..<300).map { [UInt8($0 / 256), UInt8($0 % 256), 255] }
            try await post(bodies, to: endpoint)
            await stage.app.holdAnswers()
            try await stage.startDistributor()
            _ = try await stage.app.messages.first(256)
            // A directory in the place of the file makes every write fail.
            let state = try #require(stage.bus.environment["XDG_STATE_HOME"])
            let file = state + "/tocsin/distributor.json"
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(
                atPath: file, withIntermediateDirectories: false)
            await stage.app.answer()
            let all = try await stage.app.messages.first(bodies.count)
            #expect(Set(all.map(\.body)) == Set(bodies))
        }
    }

    @Test func `a message that is too long for a stream is left out with a warning`() async throws {
        try await Self.onStage(.double) { stage in
            let endpoint = try await stage.app.register("token")
            // JSON writes each of these bytes as six characters.
            try await post([UInt8](repeating: 1, count: 12_000), to: endpoint)
            try await post([2, 255], to: endpoint)
            #expect(try await stage.app.messages.first(1)[0].body == [2, 255])
            #expect(stage.said.contains("is left out"), "\(stage.said)")
        }
    }

    @Test func `a restarted distributor gives a known token the same endpoint`() async throws {
        try await Self.onStage(.double) { stage in
            let endpoint = try await stage.app.register("token")
            try await stage.killDistributor()
            try await stage.startDistributor()
            #expect(try await stage.app.register("token") == endpoint)
            let state = try #require(stage.bus.environment["XDG_STATE_HOME"])
            let mode = try FileManager.default.attributesOfItem(
                atPath: state + "/tocsin/distributor.json")
            #expect(mode[.posixPermissions] as? Int == 0o600)
        }
    }

    /// Each of two distributors would overwrite the registrations of the other.
    @Test func `a distributor on another bus of the user does not start beside the first one`()
        async throws
    {
        try await Self.onStage(.double) { stage in
            let state = try #require(stage.bus.environment["XDG_STATE_HOME"])
            let other = try PrivateBus()
            let variables = ["XDG_STATE_HOME": state]
            let second = try DistributorProgram.run([], on: other, adding: variables)
            #expect(try await second.exit() == 75)
            let said = try await second.allSaid()
            #expect(said.contains(state + "/tocsin/distributor.json"), "\(said)")
            let endpoint = try await stage.app.register("token")
            try await post([1, 255], to: endpoint)
            #expect(try await stage.app.messages.first(1)[0].token == "token")
            try await stage.killDistributor()
            let third = try await DistributorProgram.start(on: other, adding: variables)
            await third.stop()
        }
    }

    @Test func `a distributor that cannot make the file of its lock serves without the lock`()
        async throws
    {
        try await Self.onStage(.double) { stage in
            try await stage.killDistributor()
            let state = try #require(stage.bus.environment["XDG_STATE_HOME"])
            let lock = state + "/tocsin/distributor.json.lock"
            try FileManager.default.removeItem(atPath: lock)
            try FileManager.default.createDirectory(
                atPath: lock, withIntermediateDirectories: false)
            try await stage.startDistributor()
            let endpoint = try await stage.app.register("token")
            #expect(endpoint.hasPrefix(stage.server.address + "/up"))
        }
    }

    /// A program that registers invented names must not keep out other apps.
    @Test func `an app can register although invented apps hold all registrations`() async throws {
        try await Self.onStage(.double) { stage in
            try await stage.killDistributor()
            var state = DistributorState()
            for number in 0..<Limits.pushRegistrations.most {
                state.registrations["\(number)"] = .init(
                    service: "org.invented.App\(number)", token: "\(number)", version: 2,
                    server: stage.server.address, topic: "upInvented\(number)")
            }
            let folder = try #require(stage.bus.environment["XDG_STATE_HOME"])
            try state.write(folder + "/tocsin/distributor.json")
            try await stage.startDistributor()
            let endpoint = try await stage.app.register("token")
            try await post([1, 255], to: endpoint)
            #expect(try await stage.app.messages.first(1)[0].token == "token")
        }
    }

    @Test func `an app cannot register the name of another service`() async throws {
        try await Self.onStage(.double) { stage in
            let stranger = try await BusConnection.open(on: stage.bus, name: "stranger")
            let reply = try await stranger.call(
                MethodCall(
                    destination: "org.unifiedpush.Distributor.tocsin",
                    path: "/org/unifiedpush/Distributor",
                    interface: "org.unifiedpush.Distributor1", member: "Register",
                    arguments: ["org.example.Reader", "token", "Reader"].map { .string($0) }))
            #expect(
                reply.arguments == [.string("REGISTRATION_FAILED"), .string("UNAUTHORIZED")])
            await stranger.close()
        }
    }

    @Test func `an app that unregisters gets a confirmation and no further message`() async throws {
        try await Self.onStage(.double) { stage in
            let gone = try await stage.app.register("gone")
            let kept = try await stage.app.register("kept")
            try await stage.app.unregister("gone")
            #expect(try await stage.app.unregistrations.first(1) == ["gone"])
            try await post([1, 255], to: gone)
            try await post([2, 255], to: kept)
            #expect(try await stage.app.messages.first(1)[0].token == "kept")
        }
    }

    /// If `Unregister` overtook `Register`, the registration would stay.
    @Test(arguments: [2, 1])
    func `an app that unregisters before its registration is answered is not registered`(
        version: Int
    ) async throws {
        try await Self.onStage(.double, version: version) { stage in
            try await stage.app.registerAndUnregister("brief")
            #expect(try await stage.app.unregistrations.first(1) == ["brief"])
        }
    }

    @Test func `without a server, the distributor refuses a registration with ACTION_REQUIRED`()
        async throws
    {
        let stage = try await Stage(.double, version: 2)
        do {
            try await stage.startDistributor()
            let refusal = await #expect(throws: HarnessError.self) {
                try await stage.app.register("token")
            }
            #expect("\(String(describing: refusal))".contains("ACTION_REQUIRED"))
        } catch {
            await stage.stop()
            throw error
        }
        await stage.stop()
    }

    @Test(
        arguments: [
            (["--server"], 64), (["--frob"], 64), (["--server", "ftp://a"], 65),
            (["--server", "https://a.example?x=1"], 65),
            (["--server", "https://a.example", "--access-token-file", "/nonexistent"], 65),
            (["--help"], 0), (["--version"], 0),
        ] as [([String], Int32)])
    func `the exit status tells whether the command line is valid`(
        arguments: [String], status: Int32
    ) async throws {
        let program = try DistributorProgram.run(arguments, on: PrivateBus())
        #expect(try await program.exit() == status, "\(program.said)")
    }

    /// The command would fail again, so its error must tell the user to move the file away.
    @Test func `after the user moves a damaged configuration away, the program writes a new one`()
        async throws
    {
        let bus = try PrivateBus()
        let folder = try #require(bus.environment["XDG_CONFIG_HOME"]) + "/tocsin"
        let file = folder + "/distributor.json"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "{".write(toFile: file, atomically: true, encoding: .utf8)
        let choice = ["--server", "https://a.example"]
        let damaged = try DistributorProgram.run(choice, on: bus)
        #expect(try await damaged.exit() == 65)
        let said = try await damaged.allSaid()
        #expect(said.contains(file) && said.contains("move it away"), "\(said)")
        try FileManager.default.moveItem(atPath: file, toPath: file + ".old")
        let anew = try DistributorProgram.run(choice, on: bus)
        #expect(try await anew.exit() == 0)
        let configuration = try DistributorConfiguration(file: file)
        #expect(configuration.server == "https://a.example")
    }

    /// A loss of power may undo a rename until the folder is synced.
    @Test func `the program syncs a new file before its rename, and then the folder`() async throws
    {
        let bus = try PrivateBus()
        let folder = try #require(bus.environment["XDG_CONFIG_HOME"]) + "/tocsin"
        let shim = try await DiskShim(folder: folder, in: bus.directory, logs: true)
        let choice = try DistributorProgram.run(
            ["--server", "https://a.example"], on: bus, adding: shim.environment)
        #expect(try await choice.exit() == 0, "\(choice.said)")
        let changes = try #require(shim.log).entries().filter {
            [.sync, .rename].contains($0.kind)
        }
        #expect(changes.map(\.kind) == [.sync, .rename, .sync])
        #expect(changes.map(\.path) == ["/distributor.json.new", "/distributor.json.new", ""])
    }

    @Test func `if the state directory cannot be made, the program's error names it`()
        async throws
    {
        let bus = try PrivateBus()
        let state = try #require(bus.environment["XDG_STATE_HOME"])
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true)
        try "a file".write(toFile: state + "/tocsin", atomically: true, encoding: .utf8)
        let program = try DistributorProgram.run([], on: bus)
        #expect(try await program.exit() == 1)
        let said = try await program.allSaid()
        #expect(said.contains(state + "/tocsin") && !said.contains("bus cannot"), "\(said)")
    }
}
