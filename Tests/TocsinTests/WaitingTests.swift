import CenterInterface
import DesktopBus
import Foundation
import NotificationModel
import ScriptedService
import TestSupport
import Testing

/// `tocsin send --wait` where no response is possible, or no response comes.
@Suite(.timeLimit(.minutes(5))) struct WaitingTests {
    /// The environment of a bus, with only these programs and a display that does not exist.
    private static func environment(
        of bus: PrivateBus, programs: [String: String] = [:]
    ) async throws -> [String: String] {
        let folder = bus.directory + "/bin"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (name, script) in programs {
            try await ShellScript.write(script, to: "\(folder)/\(name)")
        }
        return bus.environment.merging(["PATH": folder, "DISPLAY": ":nowhere"]) { $1 }
    }

    private static func send(
        _ arguments: [String], in environment: [String: String]
    ) throws -> RunningProgram {
        try RunningProgram(
            "\(ProgramTests.products)/tocsin", ["send"] + arguments, environment: environment)
    }

    /// Makes a scripted service the centre of a bus, as long as the result exists.
    private static func export(
        _ service: ScriptedService, on bus: PrivateBus
    ) async throws -> ServiceExporter {
        let connection = try await BusConnection.open(on: bus, name: "center")
        let exporter = ServiceExporter(service: service, connection: connection)
        try await exporter.start()
        try await connection.requestName(CenterName.bus)
        return exporter
    }

    @Test func `if no reply can be typed, nothing is sent, and the error names the packages`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let environment = try await Self.environment(of: bus)
        let run = try await ProgramTests.run(
            "tocsin", ["send", "Name?", "--reply", "--wait"], environment: environment)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("No reply can be typed here"), "\(run.errors)")
        #expect(run.errors.contains("Nothing was sent. Install one of these packages"))
        #expect(run.errors.contains("zenity"))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(server.calls.all.isEmpty)
        // Without `--wait` the caller may have another use for the button: the tool warns and
        // sends.
        let loose = try await ProgramTests.run(
            "tocsin", ["send", "Loose?", "--reply"], environment: environment)
        #expect(loose.status == 0)
        #expect(loose.errors.contains("No reply can be typed here"), "\(loose.errors)")
        #expect(try await server.calls.first(1).map(\.summary) == ["Loose?"])
        await server.stop()
    }

    /// If the click were a reply, the tool would print the button's name as the typed reply.
    @Test func `a click is no reply if the text field cannot be shown`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        var environment = try await Self.environment(of: bus, programs: ["zenity": "exit 1"])
        environment["DISPLAY"] = nil
        let send = try Self.send(["Name?", "--reply", "--wait", "--json"], in: environment)
        let shown = try await ProgramTests.shown("Name?", on: server, bus)
        try await server.click(shown.id, shown.actions[0].key)
        #expect(try await send.exit() == 1, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.lines.all.isEmpty)
        #expect(send.said.contains("no reply could be typed"), "\(send.said)")
        await server.stop()
    }

    /// If the full disk counted as a failure, the tool would post the notification a second
    /// time, and print no answer.
    @Test func `an answer is printed even if the disk is full when it is acknowledged`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let service = ScriptedService()
        await service.fail(
            Members.acknowledge, with: NotificationError(.noSpace, "The disk is full. Make room."))
        let exporter = try await Self.export(service, on: bus)
        let send = try Self.send(["Sure?", "-A", "yes=Yes", "--wait"], in: bus.environment)
        let added = try await service.inputs(of: Members.add) { !$0.isEmpty }
        let request = try #require(added.first).1
        await service.send(
            .response(
                NotificationResponse(
                    id: 1,
                    notification: DeliveredNotification(
                        app: .tocsin, request: request, date: Instant(microseconds: 0)),
                    action: .custom("yes"))))
        #expect(try await send.exit() == 0, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.lines.all == ["yes"])
        #expect(send.said.contains("The disk is full. Make room."), "\(send.said)")
        #expect(server.calls.all.isEmpty)
        withExtendedLifetime(exporter) {}
        await server.stop()
    }

    /// A click on dunst's popup offers the actions only if there is no default action.
    @Test(arguments: [["-A", "yes=Yes"], ["--reply"], []])
    func `a popup has a default action only if it has no other answer`(
        options: [String]
    ) async throws {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.information = ["dunst", "knopwob", "1.9.0", "1.2"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let environment = try await Self.environment(of: bus, programs: ["zenity": "exit 1"])
        let send = try Self.send(["Name?", "--wait"] + options, in: environment)
        let shown = try await ProgramTests.shown("Name?", on: server, bus)
        #expect(shown.actions.count == 1)
        #expect(shown.actions.contains { $0.key == "default" } == options.isEmpty)
        try await server.close(shown.id, reason: 2)
        #expect(try await send.exit() == 2, "\(send.said)")
        await server.stop()
    }

    @Test func `a click on the popup is no reply`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let environment = try await Self.environment(of: bus, programs: ["zenity": "exit 1"])
        let send = try Self.send(["Name?", "--reply", "--wait"], in: environment)
        let shown = try await ProgramTests.shown("Name?", on: server, bus)
        try await server.click(shown.id, "default")
        #expect(try await send.exit() == 2, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.lines.all.isEmpty)
        await server.stop()
    }

    @Test(arguments: ["ZENITY_CANCEL", "ZENITY_ESC"])
    func `a cancelled text field is a dismissal`(status: String) async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let environment = try await Self.environment(
            of: bus, programs: ["zenity": "echo half; exit \"$\(status)\""])
        let send = try Self.send(["Name?", "--reply", "--wait", "--json"], in: environment)
        let shown = try await ProgramTests.shown("Name?", on: server, bus)
        try await server.click(shown.id, shown.actions[0].key)
        #expect(try await send.exit() == 2, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.said.contains(#""outcome":"dismissed","action":null,"reply":null}"#))
        await server.stop()
    }

    /// If the wait ended, a click on the first popup would answer a question that nobody has seen.
    @Test func `a response to an earlier popup of the same identifier does not end the wait`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let answers = ["-A", "yes=Yes", "-A", "no=No", "--wait", "--id", "a"]
        let first = try Self.send(["First?"] + answers, in: bus.environment)
        let former = try await ProgramTests.shown("First?", on: server, bus)
        first.signal(SIGKILL)
        _ = try await first.exit()
        try await server.click(former.id, former.actions[0].key)
        try await ProgramTests.settle(server, bus)
        let second = try Self.send(["Second?"] + answers, in: bus.environment)
        let shown = try await ProgramTests.shown("Second?", on: server, bus)
        try await server.click(shown.id, shown.actions[1].key)
        #expect(try await second.exit() == 0, "\(second.said)")
        try await second.lines.untilFinished()
        #expect(second.lines.all == ["no"])
        await server.stop()
    }

    @Test func `on a server without a notification list, a wait ends when the popup leaves`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let send = try Self.send(["Ask", "--wait", "--json", "--id", "a"], in: bus.environment)
        let shown = try await ProgramTests.shown("Ask", on: server, bus)
        try await server.close(shown.id, reason: 1)
        #expect(try await send.exit() == 3, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.said.contains(#"{"id":"a","outcome":"timeout","action":null,"reply":null}"#))
        let list = try await ProgramTests.run(
            "tocsin", ["list", "--delivered", "--json"], environment: bus.environment)
        #expect(list.output.isEmpty, "no click can reach the popup any more, so the list drops it")
        await server.stop()
    }

    @Test func `a wait ends when a server without a notification list dies`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let send = try Self.send(["Ask", "--wait", "--json", "--id", "a"], in: bus.environment)
        _ = try await ProgramTests.shown("Ask", on: server, bus)
        await server.stop()
        #expect(try await send.exit() == 3, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.said.contains(#"{"id":"a","outcome":"timeout","action":null,"reply":null}"#))
    }

    @Test(arguments: [["a"], ["--all"]])
    func `a wait ends when another program removes the notification`(
        selection: [String]
    ) async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let send = try Self.send(["Ask", "--wait", "--json", "--id", "a"], in: bus.environment)
        _ = try await ProgramTests.shown("Ask", on: server, bus)
        let removal = try await ProgramTests.run(
            "tocsin", ["remove", "--delivered"] + selection, environment: bus.environment)
        #expect(removal.status == 0, "\(removal.errors)")
        #expect(try await send.exit() == 3, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.said.contains(#"{"id":"a","outcome":"timeout","action":null,"reply":null}"#))
        await server.stop()
    }

    /// If the popup stayed, a click on it would reach nobody.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `the notification is removed if a signal ends the wait`(number: Int32) async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let send = try Self.send(["Ask", "--wait", "--id", "a"], in: bus.environment)
        let shown = try await ProgramTests.shown("Ask", on: server, bus)
        try await NotifySendTests.handles(number, send.processIdentifier)
        send.signal(number)
        #expect(try await send.exit() == -number, "\(send.said)")
        try await server.closings.wait(for: "the end of the popup") { $0 == [shown.id] }
        await server.stop()
    }

    /// If the wait removed the replacement, the notification of the second program would be lost.
    @Test func `a wait that times out removes no replacement of its notification`() async throws {
        let bus = try PrivateBus()
        let service = ScriptedService()
        let exporter = try await Self.export(service, on: bus)
        // The lists have the replacement from the start, so it is there at the timeout.
        let second = NotificationRequest(
            identifier: "a", content: NotificationContent(title: "Second"))
        await service.script(Members.pending) { _ in
            let pending = PendingNotification(
                app: .tocsin, request: second, state: .pending, nextFire: nil)
            return ListPage(notifications: [pending], next: nil)
        }
        await service.script(Members.delivered) { _ in
            let delivered = DeliveredNotification(
                app: .tocsin, request: second, date: Instant(microseconds: 0))
            return ListPage(notifications: [delivered], next: nil)
        }
        let send = try Self.send(
            ["First?", "--wait", "-t", "1", "--id", "a"], in: bus.environment)
        #expect(try await send.exit() == 3, "\(send.said)")
        #expect(!service.inputs(of: Members.pending).isEmpty)
        #expect(!service.inputs(of: Members.delivered).isEmpty)
        #expect(service.inputs(of: Members.remove).isEmpty)
        #expect(service.inputs(of: Members.removeDelivered).isEmpty)
        withExtendedLifetime(exporter) {}
    }

    /// If the request stayed, the popup would appear after the end of the wait.
    @Test func `a wait that times out removes the request that was not shown yet`() async throws {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.replies = .held
        let server = try await ScriptedServer.start(on: bus, script: script)
        let send = try Self.send(["Ask", "--wait", "-t", "1", "--id", "a"], in: bus.environment)
        #expect(try await send.exit() == 3, "\(send.said)")
        let list = try await ProgramTests.run(
            "tocsin", ["list", "--json"], environment: bus.environment)
        #expect(list.status == 0 && list.output.isEmpty, "\(list.output)\(list.errors)")
        await server.stop()
    }

    /// Plasma 6.3 lists closed popups without buttons, and other servers do not list closed popups.
    @Test
    func `a wait ends when a server with a notification list closes the popup`() async throws {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.capabilities += ["persistence"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let send = try Self.send(["Ask", "--wait", "--id", "a"], in: bus.environment)
        let shown = try await ProgramTests.shown("Ask", on: server, bus)
        #expect(shown.timeout == -1)
        try await server.close(shown.id, reason: 1)
        #expect(try await send.exit() == 3, "\(send.said)")
        await server.stop()
    }

    /// Plasma 6.4 signals nothing when a popup leaves, and lists only popups of apps that it knows.
    @Test(arguments: [(true, -1), (false, 0)] as [(Bool, Int32)])
    func `an awaited popup stays on a server that does not report its end`(
        isInstalled: Bool, timeout: Int32
    ) async throws {
        let bus = try PrivateBus()
        if isInstalled { try bus.install("org.tocsin.Tocsin", name: "Tocsin") }
        let server = try await ScriptedServer.start(on: bus, script: .plasma64)
        let send = try Self.send(["Ask", "--wait"], in: bus.environment)
        let shown = try await ProgramTests.shown("Ask", on: server, bus)
        #expect(shown.timeout == timeout)
        try await server.click(shown.id, "default")
        #expect(try await send.exit() == 0, "\(send.said)")
        let loose = try await ProgramTests.run(
            "tocsin", ["send", "Told"], environment: bus.environment)
        #expect(loose.status == 0)
        #expect(try await ProgramTests.shown("Told", on: server, bus).timeout == -1)
        await server.stop()
    }

    /// SwayNotificationCenter announces replies since 0.9, and shows no field in its default
    /// configuration.
    @Test(arguments: [false, true])
    func `on swaync a reply is possible only if the configuration turns on its text field`(
        isOn: Bool
    ) async throws {
        let bus = try PrivateBus()
        var environment = try await Self.environment(of: bus)
        let folder = bus.directory + "/configuration"
        environment["XDG_CONFIG_HOME"] = folder
        try FileManager.default.createDirectory(
            atPath: folder + "/swaync", withIntermediateDirectories: true)
        try """
        {"positionX": "right", "notification-inline-replies": \(isOn)}
        """.write(toFile: folder + "/swaync/config.json", atomically: true, encoding: .utf8)
        var script = ServerScript()
        script.information = ["SwayNotificationCenter", "ErikReider", "0.12.6", "1.3"]
        script.capabilities += ["inline-reply", "persistence"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let send = try Self.send(["Name?", "--reply", "--wait"], in: environment)
        if isOn {
            let shown = try await ProgramTests.shown("Name?", on: server, bus)
            try await server.reply(shown.id, "Anna")
            #expect(try await send.exit() == 0, "\(send.said)")
            try await send.lines.untilFinished()
            #expect(send.lines.all == ["Anna"])
        } else {
            #expect(try await send.exit() == 1, "\(send.said)")
            #expect(send.said.contains("has no field for it"), "\(send.said)")
            #expect(server.calls.all.isEmpty)
        }
        await server.stop()
    }

    /// This server ignores a default action without a label; a click would then be a dismissal.
    @Test
    func `on a server without a default button, a click on the popup is the default action`()
        async throws
    {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.information = ["SwayNotificationCenter", "ErikReider", "0.12.6", "1.3"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let send = try Self.send(["Sure?", "--wait", "-A", "yes=Yes"], in: bus.environment)
        let shown = try await ProgramTests.shown("Sure?", on: server, bus)
        try await server.click(shown.id, "default")
        #expect(try await send.exit() == 0, "\(send.said)")
        try await send.lines.untilFinished()
        #expect(send.lines.all == ["default"])
        await server.stop()
    }
}
