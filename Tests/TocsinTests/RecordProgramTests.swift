import DesktopBus
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// Failed notifications, as `show` and `missed` report them.
@Suite(.timeLimit(.minutes(5))) struct RecordProgramTests {
    private static let zone = ZoneRules.fixed(3_600, abbreviation: "CET")
    /// Saturday 2026-11-21, 12:00 in a zone one hour east.
    private static let now = Instant(microseconds: 1_795_258_800_000_000)
    private static let times = RelativeTime(now: now, zone: zone)

    private static func record(
        _ identifier: String, _ reason: NotificationRecord.Reason, minutes: Int64?,
        app: ApplicationID? = .tocsin
    ) -> NotificationRecord {
        NotificationRecord(
            app: app, identifier: identifier, title: "T \(identifier)", date: now,
            due: minutes.map { now.adding(microseconds: $0 * 60_000_000) }, reason: reason,
            message: "why")
    }

    // MARK: The texts

    @Test func `missed lists notifications in the order of their dates, each with its reason`() {
        let records = [
            Self.record("ahead", .skipped, minutes: 5), Self.record("a", .refused, minutes: -1),
            Self.record("b", .late, minutes: -9), Self.record("c", .skipped, minutes: -2),
            Self.record("", .damaged, minutes: nil, app: nil),
        ]
        let rows = MissedRow.ordered(records.compactMap { MissedRow($0, now: Self.now) })
        let table = MissedRow.table(rows, times: Self.times, showsApp: true)
        #expect(
            table == """
                ID  APP                DUE                          SHOWN  TITLE  WHY
                b   org.tocsin.Tocsin  Sat 2026-11-21 11:51:00 CET  never  T b    too late: why
                c   org.tocsin.Tocsin  Sat 2026-11-21 11:58:00 CET  never  T c    why
                a   org.tocsin.Tocsin  Sat 2026-11-21 11:59:00 CET  never  T a    \
                the notification server refused it: why
                -   -                  -                            never  T      why

                """)
        let objects = rows.map { $0.object(zone: Self.zone).text }
        let refused = """
            {"id":"a","app":"org.tocsin.Tocsin","title":"T a","due":"2026-11-21T11:59:00+01:00",\
            "shown":null,"note":"the notification server refused it: why","reason":"refused"}
            """
        #expect(objects[2] == refused)
        let damaged = """
            {"id":null,"app":null,"title":"T ","due":null,"shown":null,"note":"why",\
            "reason":"damaged"}
            """
        #expect(objects[3] == damaged)
    }

    @Test func `show prints the five newest records and the number of older ones`() {
        let text = Self.times
        let records = (0..<7).map { Self.record("a", .denied, minutes: -$0) }
        let lines = text.lines(records)
        #expect(lines.count == 6)
        #expect(lines[0] == "Sat 2026-11-21 12:00:00 CET: why")
        #expect(lines[5] == "and 2 earlier ones; '--json' lists them")
        #expect(text.lines([]).isEmpty)
        let object = """
            {"date":"2026-11-21T12:00:00+01:00","due":null,"reason":"late","message":"why"}
            """
        #expect(text.object(Self.record("a", .late, minutes: nil)).text == object)
    }

    // MARK: The programs

    @Test func `a command that schedules a request warns that no server runs`() async throws {
        let bus = try PrivateBus()
        let added = try await ProgramTests.run(
            "tocsin", ["in", "1h", "Tea"], environment: bus.environment)
        #expect(added.status == 0)
        #expect(added.errors.hasPrefix("tocsin: no notification server is on the bus"))
        #expect(added.errors.split(separator: "\n").count == 1, "\(added.errors)")
        let server = try await ScriptedServer.start(on: bus)
        let next = try await ProgramTests.run(
            "tocsin", ["in", "1h", "Milk"], environment: bus.environment)
        #expect(next.errors.isEmpty, "\(next.errors)")
        await server.stop()
    }

    /// If the query waited, a command in cron would wait as long as a server takes to start.
    @Test func `a query with a timeout does not wait for the server's start`() async throws {
        let bus = try PrivateBus()
        let daemon = try await BusConnection.open(on: bus, name: "daemon")
        let (starting, end) = AsyncStream.makeStream(of: Void.self)
        let table = InterfaceTable(
            name: "org.tocsin.NotificationCenter1",
            methods: [
                MethodEntry("Status", out: [ArgumentEntry("status", "a{sv}")]) { _ in
                    for await _ in starting {}
                    return [.vardict([])]
                }
            ], signals: [])
        try await daemon.export(
            ExportedObject(interfaces: [table]), at: "/org/tocsin/NotificationCenter1")
        try await daemon.requestName("org.tocsin.NotificationCenter1")
        let center = try await CenterClient.open(
            ToolEnvironment(
                variables: bus.environment, directory: "/", now: Self.now,
                reactor: Reactor.started("tool")))
        #expect(await center.presenter(within: .milliseconds(10)) == nil)
        end.finish()
        await center.connection.close()
        await daemon.close()
    }

    @Test func `scheduling a request prints no warning about a server that is starting`()
        async throws
    {
        // The bus starts a program that never takes the name.
        let bus = try PrivateBus(services: [
            "org.freedesktop.Notifications.service": """
            [D-BUS Service]
            Name=org.freedesktop.Notifications
            Exec=/bin/true
            """
        ])
        let stage = Stage(bus: bus)
        // This call starts the daemon, and prints any notice about a slow start of the daemon. It
        // asks nothing about the server, so the next call asks first. The daemon then waits five
        // seconds for the server.
        #expect(try await stage.tocsin("settings").status == 0)
        let added = try await stage.tocsin("in", "1h", "Tea")
        #expect(added.status == 0)
        #expect(added.errors.isEmpty, "\(added.errors)")
    }

    private struct Stage {
        let bus: PrivateBus

        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
        }

        /// Returns when none of the tool's notifications is pending or on its way.
        func untilIdle() async throws {
            let connection = try await BusConnection.open(on: bus, name: "idle")
            _ = try await connection.call(
                MethodCall(
                    destination: "org.tocsin.NotificationCenter1",
                    path: "/org/tocsin/NotificationCenter1",
                    interface: "org.tocsin.NotificationCenter1", member: "WaitUntilIdle",
                    arguments: [.string("org.tocsin.Tocsin"), .bool(false)]))
            await connection.close()
        }
    }

    @Test func `show and missed explain a post that the server refused`() async throws {
        let stage = Stage(bus: try PrivateBus())
        var script = ServerScript()
        script.failures = .next(1, "org.freedesktop.DBus.Error.InvalidArgs")
        let server = try await ScriptedServer.start(on: stage.bus, script: script)
        let sent = try await stage.tocsin(
            "send", "Tea", "--id", "tea-time", "--app", "org.example.A")
        #expect(sent.status == 0, "\(sent.errors)")
        _ = try await stage.tocsin("send", "Other", "--id", "other")
        try await server.calls.first("the other") { $0.summary == "Other" }
        try await stage.untilIdle()
        #expect(try await stage.tocsin("show", "tea-time").status == 1)
        let show = try await stage.tocsin("show", "tea", "--app", "org.example.A")
        #expect(show.status == 0, "\(show.errors)")
        for part in [
            "Notification  tea-time", "App           org.example.A", "Title         Tea",
            "State         neither pending nor delivered",
            "the notification server refused it: ", "InvalidArgs",
        ] {
            #expect(show.output.contains(part), "\(show.output)")
        }
        #expect(!show.output.contains("Lacks") && !show.output.contains("When"))
        let json = try await stage.tocsin("show", "tea", "--app", "org.example.A", "--json").output
        let beginning = """
            {"id":"tea-time","app":"org.example.A","title":"Tea","subtitle":"","body":"",\
            "state":"ended","nextFire":null,"repeats":false,"trigger":null,"next":[],"reasons":["
            """
        #expect(json.hasPrefix(beginning), "\(json)")
        #expect(json.contains(#""lacks":[],"commands":null,"records":[{"date":"2"#), "\(json)")
        #expect(json.contains(#","reason":"refused","message":""#), "\(json)")
        let missed = try await stage.tocsin("missed", "--all-apps", "--json").output
        #expect(missed.hasPrefix(#"{"id":"tea-time","app":"org.example.A","title":"Tea","due":"2"#))
        #expect(missed.hasSuffix(#","reason":"refused"}"#), "\(missed)")
        #expect(try await stage.tocsin("missed").errors.contains("Nothing was missed."))
        await server.stop()
    }

    @Test func `show lists a skipped date and the date that follows`() async throws {
        let stage = Stage(bus: try PrivateBus())
        #expect(
            try await stage.tocsin("every", "day at 03:00", "Pills", "--id", "pills").status == 0)
        #expect(try await stage.tocsin("skip", "pills").status == 0)
        let show = try await stage.tocsin("show", "pills").output
        #expect(show.contains("State         waits"), "\(show)")
        #expect(show.contains(": skipped on request"), "\(show)")
        #expect(show.contains("Next          "), "\(show)")
        let json = try await stage.tocsin("show", "pills", "--json").output
        #expect(json.contains(#""reason":"skipped","message":"skipped on request"}]}"#), "\(json)")
        // The skipped date lies in the future, so nothing was missed yet.
        #expect(try await stage.tocsin("missed").errors.contains("Nothing was missed."))
        #expect(try await stage.tocsin("show", "pil").status == 0)
    }
}
