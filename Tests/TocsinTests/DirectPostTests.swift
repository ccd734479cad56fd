import DesktopBus
import Foundation
import NotificationModel
import TestSupport
import Testing

/// `tocsin send` without a reachable daemon.
@Suite(.timeLimit(.minutes(5))) struct DirectPostTests {
    /// A bus, a scripted server, and the tool in a temporary directory.
    private struct Stage {
        let bus: PrivateBus
        let server: ScriptedServer

        static func run(
            services: [String: String] = [:], _ body: (Stage) async throws -> Void
        ) async throws {
            let bus = try PrivateBus(services: services)
            try await BusRecorder.recording(bus) {
                let stage = Stage(bus: bus, server: try await ScriptedServer.start(on: bus))
                // Another process copies the program, because the system does not start a file that
                // this process or its forked child has open for writing.
                try await RunningProgram.run(
                    "install",
                    ["-m", "755", ProgramTests.products + "/tocsin", bus.directory + "/tocsin"])
                try await body(stage)
                await stage.server.stop()
            }
        }

        func send(
            _ arguments: [String], adding variables: [String: String] = [:]
        ) throws -> RunningProgram {
            try RunningProgram(
                bus.directory + "/tocsin", ["send"] + arguments,
                environment: bus.environment.merging(variables) { $1 })
        }

        func run(
            _ arguments: [String], adding variables: [String: String] = [:]
        ) async throws -> (status: Int32, output: [String], said: String) {
            let program = try send(arguments, adding: variables)
            return try await Self.result(of: program)
        }

        static func result(
            of program: RunningProgram
        ) async throws -> (status: Int32, output: [String], said: String) {
            let status = try await program.exit()
            try await program.lines.untilFinished()
            return (status, program.lines.all, program.said)
        }
    }

    private static let notice = "goes straight to the notification server"

    private static func notices(_ text: String) -> Int {
        text.components(separatedBy: notice).count - 1
    }

    @Test(arguments: [["Tea"], ["Tea", "is ready"], ["Tea", "-p", "--id", "t", "-a", "Kettle"]])
    func `a direct post has no desktop entry, and the tool prints one notice about it`(
        arguments: [String]
    ) async throws {
        try await Stage.run { stage in
            let run = try await stage.run(arguments)
            #expect(run.status == 0, "\(run.said)")
            #expect(run.output == (arguments.contains("-p") ? ["t"] : []))
            #expect(Self.notices(run.said) == 1, "\(run.said)")
            let calls = stage.server.calls.all
            #expect(calls.map(\.summary) == ["Tea"])
            #expect(calls.first?.appName == (arguments.contains("-a") ? "Kettle" : "Tocsin"))
            #expect(calls.first?.hints["desktop-entry"] == nil)
        }
    }

    @Test(arguments: [["Tea"], ["Tea", "--action", "yes=Yes"]])
    func `if the daemon's disk is full, the tool posts the notification itself`(
        arguments: [String]
    ) async throws {
        try await Stage.run { stage in
            let refuse: @Sendable (MethodInvocation) async throws -> [BusValue] = { _ in
                throw BusError.remote(
                    "org.tocsin.Error.NoSpace",
                    "The disk is full; make sure that 9 MB are free there.")
            }
            let centre = try await BusConnection.open(on: stage.bus, name: "centre")
            let table = InterfaceTable(
                name: "org.tocsin.NotificationCenter1",
                methods: [
                    MethodEntry(
                        "Add",
                        in: [
                            ArgumentEntry("app", "s"), ArgumentEntry("request", "a{sv}"),
                            ArgumentEntry("attachments", "ah"),
                        ], handler: refuse),
                    MethodEntry(
                        "Categories", in: [ArgumentEntry("app", "s")],
                        out: [ArgumentEntry("categories", "aa{sv}")], handler: refuse),
                ])
            try await centre.export(
                ExportedObject(interfaces: [table]), at: "/org/tocsin/NotificationCenter1")
            try await centre.requestName("org.tocsin.NotificationCenter1")
            let run = try await stage.run(arguments)
            #expect(run.status == 0, "\(run.said)")
            #expect(Self.notices(run.said) == 1, "\(run.said)")
            #expect(run.said.contains("9 MB"), "\(run.said)")
            #expect(stage.server.calls.all.map(\.summary) == ["Tea"])
            await centre.close()
        }
    }

    @Test func `the options of a direct post reach the server`() async throws {
        try await Stage.run { stage in
            let run = try await stage.run([
                "Tea", "a < b", "-u", "critical", "-t", "500", "-i", "bell", "-c", "x.y", "-h",
                "int:value:5", "-e",
            ])
            #expect(run.status == 0, "\(run.said)")
            let call = try #require(stage.server.calls.all.first)
            #expect(call.body == "a &lt; b")
            #expect(call.appIcon == "bell")
            #expect(call.timeout == 500)
            #expect(call.hints["urgency"] == .byte(2))
            #expect(call.hints["value"] == .int32(5))
            #expect(call.hints["category"] == .string("x.y"))
            #expect(call.hints["transient"] == .bool(true))
        }
    }

    /// Replaces `tocsin-media` with a script that records its arguments.
    private static func withPlayer(
        script: ServerScript = ServerScript(),
        _ body: (Stage, ReportPipe) async throws -> Void
    ) async throws {
        try await Stage.run { stage in
            await stage.server.change { $0 = script }
            let pipe = try ReportPipe(stage.bus.directory + "/played")
            try await ShellScript.write(
                "echo \"$*\" >'\(pipe.path)'", to: stage.bus.directory + "/tocsin-media")
            try await body(stage, pipe)
            await pipe.stop()
        }
    }

    @Test func `the tool plays a sound that the server does not play`() async throws {
        try await Self.withPlayer { stage, pipe in
            let run = try await stage.run(["Tea", "--sound", "bell"])
            #expect(run.status == 0, "\(run.said)")
            #expect(try await pipe.lines.first(1) == ["sound bell"])
            let silent = try await stage.run(["Coffee"])
            let critical = try await stage.run(["Fire", "--level", "critical"])
            #expect(silent.status == 0 && critical.status == 0)
            #expect(try await pipe.lines.first(2)[1] == "sound dialog-warning")
        }
    }

    @Test func `the tool leaves sounds to a server that plays them, and obeys Do Not Disturb`()
        async throws
    {
        var script = ServerScript()
        script.capabilities += ["sound"]
        try await Self.withPlayer(script: script) { stage, pipe in
            let run = try await stage.run(["Tea", "--sound", "bell"])
            #expect(run.status == 0, "\(run.said)")
            #expect(stage.server.calls.all[0].hints["sound-name"] == .string("bell"))
            await stage.server.change {
                $0.capabilities = ["actions", "body", "inhibitions"]
                $0.isInhibited = true
            }
            _ = try await stage.run(["Quiet", "--sound", "bell"])
            _ = try await stage.run(["Fire", "--level", "critical"])
            // This is the first sound of the tool: it played no sound for the earlier posts.
            #expect(try await pipe.lines.first(1) == ["sound dialog-warning"])
        }
    }

    @Test func `without tocsin-media the tool says that the popup is silent`() async throws {
        try await Stage.run { stage in
            let run = try await stage.run(["Tea", "--sound", "bell"])
            #expect(run.status == 0)
            #expect(run.said.contains("tocsin-media is not installed"), "\(run.said)")
        }
    }

    @Test(
        arguments: [
            (["-i", "/nonexistent/tea.png"], "'/nonexistent/tea.png' of '--icon'"),
            (["-i", "file:///nonexistent/a%20b.png"], "'/nonexistent/a b.png' of '--icon'"),
            (["-i", "nonexistent.png"], "'nonexistent.png' of '--icon'"),
            (["--sound", "/nonexistent/tea.wav"], "'/nonexistent/tea.wav' of '--sound'"),
            (["-i", "org.gnome.Calendar", "--sound", "bell"], nil),
        ] as [([String], String?)])
    func `the tool warns of an icon or a sound whose file is missing, and sends the notification`(
        options: [String], file: String?
    ) async throws {
        try await Stage.run { stage in
            let run = try await stage.run(["Tea"] + options)
            #expect(run.status == 0, "\(run.said)")
            #expect(stage.server.calls.all.map(\.summary) == ["Tea"])
            guard let file else {
                #expect(!run.said.contains("cannot be read"), "\(run.said)")
                return
            }
            #expect(
                run.said.contains("the file \(file) cannot be read: No such file or directory"),
                "\(run.said)")
        }
    }

    @Test func `a wait ends with a click on a button, and prints the id of the button`()
        async throws
    {
        try await Stage.run { stage in
            let program = try stage.send(["Tea", "-A", "more=Drink it", "--wait"])
            let calls = try await stage.server.calls.wait(for: "the popup") { !$0.isEmpty }
            let call = try #require(calls.first)
            let key = try #require(call.actions.first { $0.label == "Drink it" }?.key)
            try await stage.server.click(call.id, key)
            let run = try await Stage.result(of: program)
            #expect(run.status == 0, "\(run.said)")
            #expect(run.output == ["more"])
        }
    }

    @Test func `a wait ends with status 2 after a dismissal, and with status 3 after a timeout`()
        async throws
    {
        try await Stage.run { stage in
            let waiting = try stage.send(["Tea", "--wait", "--json", "--id", "t"])
            let calls = try await stage.server.calls.wait(for: "the popup") { !$0.isEmpty }
            try await stage.server.close(try #require(calls.first).id, reason: 2)
            let dismissed = try await Stage.result(of: waiting)
            #expect(dismissed.status == 2, "\(dismissed.said)")
            #expect(dismissed.output.count == 1)
            #expect(dismissed.output.first?.contains(#""outcome":"dismissed""#) == true)
            let late = try await stage.run(["Tea", "--wait", "-t", "1"])
            #expect(late.status == 3, "\(late.said)")
        }
    }

    /// If the popup stayed, a click on it would reach nobody.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `the popup is closed if a signal ends the wait`(number: Int32) async throws {
        try await Stage.run { stage in
            let program = try stage.send(["Tea", "--wait", "-p"])
            // The tool prints the identifier when the popup is on the screen.
            _ = try await program.lines.first(1)
            let shown = try #require(stage.server.calls.all.first)
            try await NotifySendTests.handles(number, program.processIdentifier)
            program.signal(number)
            #expect(try await program.exit() == -number, "\(program.said)")
            try await stage.server.closings.wait(for: "the end of the popup") { $0 == [shown.id] }
        }
    }

    /// The tool identifies the server before this post.
    ///
    /// The identification must not post another popup.
    @Test func `a request for a reply is posted once`() async throws {
        try await Stage.run { stage in
            let run = try await stage.run(["Name?", "--reply"])
            #expect(run.status == 0, "\(run.said)")
            _ = try await stage.run(["Tea"])
            // The server handles calls in order, so it has handled every call of the first run.
            #expect(stage.server.calls.all.map(\.summary) == ["Name?", "Tea"])
        }
    }

    @Test func `a wait ends without a response if the server ends after it showed the popup`()
        async throws
    {
        try await Stage.run { stage in
            let program = try stage.send(["Tea", "-A", "more=Drink it", "--wait", "-p"])
            // The tool prints the identifier when the popup is on the screen.
            _ = try await program.lines.first(1)
            await stage.server.stop()
            let run = try await Stage.result(of: program)
            #expect(run.status == 3, "\(run.said)")
            #expect(!run.said.contains("nothing was sent"), "\(run.said)")
        }
    }

    /// A user who reads that nothing was sent sends the notification again.
    @Test func `the tool says that the popup may be there if the server ends before its answer`()
        async throws
    {
        try await Stage.run { stage in
            await stage.server.change { $0.replies = .never }
            let program = try stage.send(["Tea"])
            try await stage.server.calls.wait(for: "the call") { !$0.isEmpty }
            await stage.server.stop()
            let run = try await Stage.result(of: program)
            #expect(run.status == 1, "\(run.said)")
            #expect(run.said.contains("may be on the screen"), "\(run.said)")
            #expect(!run.said.contains("nothing was sent"), "\(run.said)")
        }
    }

    @Test func `send exits with status 69 without a server, and with 75 without a bus`()
        async throws
    {
        try await Stage.run { stage in
            await stage.server.stop()
            let run = try await stage.run(["Tea"])
            #expect(run.status == 69, "\(run.said)")
            #expect(run.said.contains("nothing was sent"))
            let nowhere = try await stage.run(
                ["Tea"], adding: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
            #expect(nowhere.status == 75)
            #expect(Self.notices(nowhere.said) == 0)
        }
    }

    @Test
    func `send posts nothing itself if it must use the daemon, or if the daemon cannot start`()
        async throws
    {
        try await Stage.run { stage in
            let run = try await stage.run(["Tea"], adding: ["TOCSIN_MODE": "daemon"])
            #expect(run.status == 75, "\(run.said)")
            #expect(stage.server.calls.all.isEmpty)
        }
        let name = "org.tocsin.NotificationCenter1"
        let service = "[D-BUS Service]\nName=\(name)\nExec=/bin/false\n"
        try await Stage.run(services: ["\(name).service": service]) { stage in
            for arguments in [["Tea"], ["Tea", "--wait"]] {
                let run = try await stage.run(arguments)
                #expect(run.status == 75, "\(run.said)")
            }
            #expect(stage.server.calls.all.isEmpty)
        }
    }

    @Test func `schedule posts nothing without a daemon`() async throws {
        try await Stage.run { stage in
            let program = try RunningProgram(
                stage.bus.directory + "/tocsin", ["schedule", "Tea", "--in", "1m"],
                environment: stage.bus.environment)
            #expect(try await program.exit() == 75)
            #expect(stage.server.calls.all.isEmpty)
        }
    }
}
