import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The daemon takes over the requests that an app scheduled with its own engine.
@Suite(.timeLimit(.minutes(5))) struct HandOverTests {
    private static func request(
        _ identifier: String, after seconds: Double = 10_000
    ) -> NotificationRequest {
        NotificationRequest(
            identifier: identifier, content: NotificationContent(title: identifier),
            trigger: .interval(seconds: seconds, repeats: false))
    }

    /// Runs an app that adds a request with its own engine, and kills the app.
    private static func schedule(_ title: String, on bus: PrivateBus) async throws {
        let probe = try RunningProgram(
            try HostedService.program("HostProbe"), ["add", "10000", title],
            environment: Hosting.embedded.environment(bus.environment))
        try await probe.lines.wait(for: "the add") { $0.contains("added") }
        probe.signal(SIGKILL)
        _ = try await probe.exit()
    }

    private static func stores(of bus: PrivateBus) throws -> [String] {
        let root = try #require(bus.environment["XDG_STATE_HOME"]) + "/tocsin"
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix("center.sqlite") }
    }

    @Test func `at its start, the daemon takes over the requests of an app with its own engine`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        try await HostedService.allow(.embedded, on: bus)
        try await Self.schedule("a", on: bus)
        for round in 0..<2 {
            let daemon = try await HostedService.startDaemon(on: bus)
            let center = try await HostedService.attach(.daemon, on: bus, daemon: daemon)
            let pending = try await center.service.pending(of: nil)
            #expect(pending.map(\.request.content.title) == ["a"], "start \(round)")
            let settings = try await center.service.settings(of: center.app)
            #expect(settings.permission?.status == .authorized)
            await daemon.stop()
        }
        #expect(try Self.stores(of: bus).count == 1, "the app's store is gone")
        await server.stop()
    }

    @Test func `the daemon takes over the store of an app that connects later`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        try await HostedService.allow(.embedded, on: bus)
        try await Self.schedule("a", on: bus)
        #expect(try Self.stores(of: bus).count == 2)
        let probe = try RunningProgram(
            try HostedService.program("HostProbe"), ["wait"],
            environment: Hosting.daemon.environment(bus.environment))
        try await probe.lines.wait(for: "the list") { $0.contains("pending 1") }
        #expect(try Self.stores(of: bus).count == 1)
        await probe.stop()
        await daemon.stop()
        await server.stop()
    }

    /// Starts an app that finds no daemon, runs its own engine and adds a request.
    private static func startAlone(on bus: PrivateBus) async throws -> RunningProgram {
        try await HostedService.allow(.embedded, on: bus)
        // Without a `tocsind` beside it, the program runs its own engine. `ShellScript` says why
        // another process writes the copy.
        let copy = bus.directory + "/ExitProbe"
        try await RunningProgram.run("cp", [try HostedService.program("ExitProbe"), copy])
        let variables = ["TOCSIN_MODE": "automatic", "TOCSIN_APP_ID": "org.tocsin.Test"]
        let program = try RunningProgram(
            copy, ["stay"], environment: bus.environment.merging(variables) { $1 })
        try await program.lines.wait(for: "the add") { $0.contains("pending 1") }
        return program
    }

    /// Without this hand-over, the requests would wait until the app or the daemon starts again.
    @Test func `an app that ends leaves its requests to a daemon that started after the app`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let program = try await Self.startAlone(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let center = try await HostedService.attach(.daemon, on: bus, daemon: daemon)
        #expect(try await center.service.pending(of: nil).isEmpty)
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0)
        let pending = try await center.service.pending(of: nil).map(\.request.identifier)
        #expect(pending == ["later"])
        #expect(!program.said.contains("and will be late"), "\(program.said)")
        await daemon.stop()
        await server.stop()
    }

    @Test func `if the daemon hangs, an app that ends says that its request waits`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let program = try await Self.startAlone(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        daemon.signal(SIGSTOP)
        let start = ContinuousClock.now
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0)
        // The program waits 2 s at its end; the other 3 s allow for a busy machine.
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(program.said.contains("1 request waits and will be late"), "\(program.said)")
        daemon.signal(SIGCONT)
        await daemon.stop()
        await server.stop()
    }

    @Test func `the daemon does not take over a store that its app has open`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        try await HostedService.allow(.embedded, on: bus)
        let probe = try RunningProgram(
            try HostedService.program("HostProbe"), ["add", "10000", "mine"],
            environment: Hosting.embedded.environment(bus.environment))
        try await probe.lines.wait(for: "the add") { $0.contains("added") }
        let daemon = try await HostedService.startDaemon(on: bus)
        let center = try await HostedService.attach(.daemon, on: bus, daemon: daemon)
        #expect(try await center.service.pending(of: nil).isEmpty)
        #expect(try Self.stores(of: bus).count == 2)
        await probe.stop()
        await daemon.stop()
        await server.stop()
    }

    @Test func `a development daemon leaves its name and its store to an installed daemon`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let development = try await Self.startDevelopment(on: bus)
        let first = try await HostedService.attach(.daemon, on: bus)
        try await HostedService.allow(.daemon, on: bus)
        try await first.service.add(Self.request("kept"), attachments: [], for: first.app)

        let installed = try await HostedService.startDaemon(on: bus)
        #expect(try await development.exit() == 0)
        let center = try await HostedService.attach(.daemon, on: bus, daemon: installed)
        var pending: [String] = []
        // The installed daemon takes over the store when the development daemon has left the bus.
        while pending.isEmpty {
            pending = try await center.service.pending(of: nil).map(\.request.identifier)
        }
        #expect(pending == ["kept"])
        await installed.stop()
        await server.stop()
    }

    /// A development daemon that waited for its bus to return would stay behind after the session.
    @Test func `a development daemon ends with its bus, and a running app starts the next one`()
        async throws
    {
        let bus = try PrivateBus()
        let development = try await Self.startDevelopment(on: bus)
        try await HostedService.allow(.daemon, on: bus)
        let center = try await HostedService.attach(.daemon, on: bus)
        try await center.service.add(Self.request("kept"), attachments: [], for: center.app)
        let probe = try RunningProgram(
            try HostedService.program("HostProbe"), ["wait"],
            environment: Hosting.daemon.environment(bus.environment))
        try await probe.lines.wait(for: "the list") { $0.contains("pending 1") }
        bus.stop()
        #expect(try await development.exit() == 0)

        try bus.start()
        try await Self.owned(bus) {}
        let next = try await HostedService.attach(.daemon, on: bus)
        let pending = try await next.service.pending(of: nil).map(\.request.identifier)
        #expect(pending == ["kept"])
        await probe.stop()
    }

    private static func startDevelopment(on bus: PrivateBus) async throws -> RunningProgram {
        try await owned(bus) {
            try RunningProgram(
                try HostedService.program("tocsind"), ["--dev"], environment: bus.environment)
        }
    }

    /// Runs `work`, and returns when a daemon owns the name.
    private static func owned<Value>(
        _ bus: PrivateBus, _ work: () throws -> Value
    ) async throws -> Value {
        let connection = try await BusConnection.open(on: bus, name: "watch")
        let owners = Recording<BusName?>()
        let watch = try await connection.watchOwner(of: "org.tocsin.NotificationCenter1") {
            owners.append($0)
        }
        let value = try work()
        try await owners.wait(for: "a daemon") { $0.last.flatMap(\.self) != nil }
        watch.cancel()
        await connection.close()
        return value
    }
}
