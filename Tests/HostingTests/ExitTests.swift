import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// At its end, a program waits until its calls are stored, and reports calls that are not stored.
@Suite(.timeLimit(.minutes(2))) struct ExitTests {
    /// A bus with a server, a daemon if the hosting needs one, and `ExitProbe` as the app.
    private struct Stage {
        let hosting: Hosting
        let bus: PrivateBus
        let server: ScriptedServer

        static func run(_ hosting: Hosting, _ body: (Stage) async throws -> Void) async throws {
            let bus = try PrivateBus()
            try await BusRecorder.recording(bus) {
                let server = try await ScriptedServer.start(on: bus)
                let daemon =
                    hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
                try await HostedService.allow(hosting, on: bus)
                try await body(Stage(hosting: hosting, bus: bus, server: server))
                await daemon?.stop()
                await server.stop()
            }
        }

        /// Starts the probe, on one processor if `isOnOne` is true.
        func start(_ arguments: [String], isOnOne: Bool = false) throws -> RunningProgram {
            let program = try HostedService.program("ExitProbe")
            let environment = hosting.environment(bus.environment)
            guard isOnOne else {
                return try RunningProgram(program, arguments, environment: environment)
            }
            return try RunningProgram(
                "taskset", ["-c", "0", program] + arguments, environment: environment)
        }

        /// The centre, after the program has ended.
        func center() async throws -> HostedService {
            try await HostedService.attach(hosting, on: bus)
        }
    }

    /// A synchronous `main` may end right after `center.add(request)`.
    @Test(arguments: Hosting.allCases, ["last", "pool"])
    func `a request that a program adds in its last line is shown`(
        hosting: Hosting, end: String
    ) async throws {
        try await Stage.run(hosting) { stage in
            for isOnOne in [false, true] {
                let count = stage.server.calls.all.count
                let program = try stage.start([end], isOnOne: isOnOne)
                #expect(try await program.exit() == 0)
                let posts = try await stage.server.calls.wait(for: program.said) {
                    $0.count > count
                }
                #expect(posts.last?.summary == "last line")
                #expect(!program.said.contains("and will be late"), "\(program.said)")
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a request for later is stored, and an embedded centre says that the request waits`(
        hosting: Hosting
    ) async throws {
        try await Stage.run(hosting) { stage in
            let program = try stage.start(["later"], isOnOne: true)
            #expect(try await program.exit() == 0)
            let lines = program.said.split(separator: "\n").filter { $0.contains("waits") }
            #expect(lines.count == (hosting == .embedded ? 1 : 0), "\(program.said)")
            #expect(lines.allSatisfy { $0.contains("and will be late") })
            let center = try await stage.center()
            let pending = try await center.service.pending(of: center.app)
            #expect(pending.map(\.request.identifier) == ["later"])
            #expect(stage.server.calls.all.isEmpty)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a forked child ends without a wait and without a message`(hosting: Hosting) async throws {
        try await Stage.run(hosting) { stage in
            let program = try stage.start(["fork"])
            #expect(try await program.exit() == 0)
            try await program.lines.untilFinished()
            #expect(program.lines.all == ["child 7"])
            let lines = program.said.split(separator: "\n").filter { $0.contains("waits") }
            #expect(lines.count == (hosting == .embedded ? 1 : 0), "\(program.said)")
            // A child that waited for its parent's call would report that it is not stored.
            #expect(!program.said.contains("stored"), "\(program.said)")
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a program ends although the user has not answered its request for permission`(
        hosting: Hosting
    ) async throws {
        try await Stage.run(hosting) { stage in
            try await HostedService.allow(hosting, on: stage.bus, decision: .reset)
            let program = try stage.start(["ask"])
            #expect(try await program.exit() == 0)
            #expect(!program.said.contains("stored"), "\(program.said)")
        }
    }

    /// If all threads are busy, no thread is free for the program's calls.
    @Test(arguments: Hosting.allCases)
    func `a program whose thread pool is busy ends in time, and its call is stored or reported`(
        hosting: Hosting
    ) async throws {
        try await Stage.run(hosting) { stage in
            let program = try stage.start(["spin"])
            try await program.lines.wait(for: "its end") { $0 == ["ends"] }
            let start = ContinuousClock.now
            #expect(try await program.exit() == 0)
            // The program waits 2 s for its calls; the other 3 s allow for a busy machine.
            #expect(ContinuousClock.now - start < .seconds(5))
            let isTold = program.said.contains("before 1 call was stored")
            let center = try await stage.center()
            let pending = try await center.service.pending(of: center.app)
            #expect(isTold || pending.map(\.request.identifier) == ["spin"], "\(program.said)")
        }
    }

    /// An app may call `exit(0)` right after `completionHandler()`.
    @Test(arguments: Hosting.allCases)
    func `a response that is handled right before the program ends is not delivered again`(
        hosting: Hosting
    ) async throws {
        try await Stage.run(hosting) { stage in
            let program = try stage.start(["handle"])
            let posts = try await stage.server.calls.wait(for: "the popup") { !$0.isEmpty }
            try await stage.server.click(posts[0].id, "default")
            #expect(try await program.exit() == 0)
            try await program.lines.untilFinished()
            #expect(program.lines.all == ["response click"], "\(program.said)")
            let center = try await stage.center()
            #expect(try await center.service.status().responseCount == 0)
        }
    }

    /// The library waits 30 s for the completion, but the probe makes this wait end at once.
    @Test(arguments: Hosting.allCases)
    func `a response that the app never completes is deleted, and the program ends`(
        hosting: Hosting
    ) async throws {
        try await Stage.run(hosting) { stage in
            let program = try stage.start(["forget"])
            let posts = try await stage.server.calls.wait(for: "the popup") { !$0.isEmpty }
            try await stage.server.click(posts[0].id, "default")
            #expect(try await program.exit() == 0)
            try await program.lines.untilFinished()
            #expect(program.lines.all == ["response click", "idle"], "\(program.said)")
            let lines = program.said.split(separator: "\n").filter { $0.contains("30 s") }
            #expect(lines.count == 1 && lines.first?.contains("DelegateProbe") == true)
            let center = try await stage.center()
            #expect(try await center.service.status().responseCount == 0)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a program that never serves the main queue gets one warning`(
        hosting: Hosting
    ) async throws {
        try await Stage.run(hosting) { stage in
            let program = try stage.start(["blocked"])
            #expect(try await program.exit() == 0)
            let lines = program.said.split(separator: "\n").filter { $0.contains("main queue") }
            #expect(lines.count == 1, "\(program.said)")
            #expect(lines.first?.contains("MainLoops") == true)
        }
    }

    // MARK: Failing calls

    /// Runs a hundred failing calls in a folder without a `tocsind` that the program could start.
    private static func expectNothingLeft(
        of mode: String, in environment: [String: String]
    ) async throws {
        let folder = NSTemporaryDirectory() + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = folder + "/ExitProbe"
        // `ShellScript` says why another process writes the copy.
        try await RunningProgram.run("cp", [try HostedService.program("ExitProbe"), copy])
        let program = try RunningProgram(
            copy, ["fail", "100"], environment: environment.merging(["TOCSIN_MODE": mode]) { $1 })
        #expect(try await program.exit(within: 60) == 0, "\(program.said)")
        try await program.lines.untilFinished()
        let line = try #require(program.lines.all.last, "\(program.said)")
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == 4, "\(program.said)")
        #expect(numbers[1] <= numbers[0] + 2, "\(mode): \(line)")
        #expect(numbers[3] <= numbers[2] + 1, "\(mode): \(line)")
    }

    @Test(arguments: ["automatic", "daemon", "embedded"])
    func `calls without a bus leave no thread and no descriptor`(mode: String) async throws {
        let bus = try PrivateBus()
        let environment = bus.environment.merging([
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus.directory)/nobody"
        ]) { $1 }
        try await Self.expectNothingLeft(of: mode, in: environment)
    }

    @Test func `calls without a daemon leave no thread and no descriptor`() async throws {
        let bus = try PrivateBus()
        try await Self.expectNothingLeft(of: "daemon", in: bus.environment)
    }

    /// The program reaches the bus before it finds that its store cannot be opened.
    @Test(arguments: ["automatic", "embedded"])
    func `calls whose store cannot be opened leave no thread and no descriptor`(
        mode: String
    ) async throws {
        let bus = try PrivateBus()
        let environment = bus.environment.merging(["XDG_STATE_HOME": "/dev/null/state"]) { $1 }
        try await Self.expectNothingLeft(of: mode, in: environment)
    }
}
