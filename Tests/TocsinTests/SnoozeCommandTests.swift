import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// `snooze` on the command line.
@Suite(.timeLimit(.minutes(5))) struct SnoozeCommandTests {
    private static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp", now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor.hosted("unused"))

    private static func snooze(_ arguments: [String]) throws -> SnoozeCommand {
        guard case .command(let command) = try Invocation.parse(["snooze"] + arguments),
            let snooze = command as? SnoozeCommand
        else { throw ToolError(.failure, "not a snooze command") }
        return snooze
    }

    @Test(
        arguments: [
            (["10m"], nil, 600), (["tea", "10m"], "tea", 600), (["2", "1h30m"], "2", 5_400),
            (["last", "90s"], "last", 90), (["10", "minutes"], nil, 600),
            (["tea", "10", "minutes"], "tea", 600), (["10m", "10m"], "10m", 600),
            (["--", "-5", "10m"], "-5", 600),
        ] as [([String], String?, Double)])
    func `snooze takes an optional identifier and a length of time`(
        arguments: [String], identifier: String?, seconds: Double
    ) throws {
        let request = try Self.snooze(arguments).request()
        #expect(request.identifier == identifier)
        #expect(request.span.seconds == seconds)
    }

    @Test(
        arguments: [
            (["tea"], "tea"), (["tea", "soon"], "soon"), (["10 parsecs"], "parsecs"),
            (["tea", "10", "parsecs"], "parsecs"),
        ])
    func `an unreadable length of time is refused with a caret`(
        arguments: [String], text: String
    ) throws {
        let error = try #require(throws: ToolError.self) {
            try Self.snooze(arguments).request()
        }
        #expect(error.status == .data)
        #expect(error.text.contains(text), "\(error.text)")
        #expect(error.detail.contains("^"))
    }

    @Test func `without a length of time snooze has status 64`() throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse(["snooze"]) }
        #expect(error.status == .usage)
        #expect(error.message.contains("The length of time is missing"), "\(error.message)")
    }

    @Test func `the snooze command prints the date`() throws {
        let date = Instant(microseconds: 1_795_258_800_000_000 + 600_000_000)
        let text = try Self.snooze(["10m"]).text("tea", date, in: Self.environment)
        #expect(text == "tea: Sat 2026-11-21 12:10:00 CET (in 10 min)")
        let object = try Self.snooze(["10m", "--json"]).text("tea", date, in: Self.environment)
        #expect(object == #"{"id":"tea","nextFire":"2026-11-21T12:10:00+01:00"}"#)
    }

    // MARK: Export and import

    @Test func `an exported request says whether it is snoozed`() throws {
        func item(_ trigger: NotificationTrigger, snoozed isSnoozed: Bool) throws -> ImportItem? {
            let now = Self.environment.now
            let pending = PendingNotification(
                app: .tocsin,
                request: NotificationRequest(
                    identifier: "a", content: NotificationContent(title: "A"), trigger: trigger),
                state: .pending, nextFire: now.adding(microseconds: 2_000_000),
                regular: isSnoozed ? now.adding(microseconds: 1_000_000) : nil)
            let members = NotificationJSON(zone: Self.environment.zone)
                .members(.pending(pending), isWhole: true)
            return try ImportItem(line: Array(RecordValue.record(members).text.utf8))
        }
        let rule = NotificationTrigger.rule(NotificationRule("every day at 09:00"))
        #expect(try item(rule, snoozed: true)?.isSnoozed == true)
        #expect(try item(rule, snoozed: false)?.isSnoozed == false)
        let date = Self.environment.now.adding(microseconds: 1_000_000)
        let later = Self.environment.now.adding(microseconds: 2_000_000)
        #expect(try item(.at(date), snoozed: true)?.request.trigger == .at(later))
        // The request's own date may pass during the snooze, so the snoozed date replaces it.
        var nine = CalendarComponents()
        nine.hour = 9
        let once = NotificationTrigger.calendar(nine, repeats: false)
        #expect(try item(once, snoozed: true)?.request.trigger == .at(later))
        #expect(try item(once, snoozed: false)?.request.trigger == once)
    }

    @Test func `skipped and snoozed requests keep their dates through export and import`()
        async throws
    {
        let first = try PrivateBus()
        let second = try PrivateBus()
        func tocsin(_ bus: PrivateBus, _ arguments: String...) async throws -> String {
            let run = try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
            #expect(run.status == 0, "\(run.errors)")
            return run.output
        }
        _ = try await tocsin(first, "every", "day at 9", "Pills", "--id", "skipped", "--count", "9")
        _ = try await tocsin(first, "every", "day at 10", "Tea", "--id", "snoozed")
        _ = try await tocsin(first, "every", "day at 11", "Call", "--id", "plain")
        _ = try await tocsin(first, "skip", "skipped")
        _ = try await tocsin(first, "snooze", "snoozed", "10m")
        let file = "\(first.directory)/backup.jsonl"
        _ = try await tocsin(first, "export", file)
        _ = try await tocsin(second, "import", file)
        let dates = try await tocsin(first, "list", "--json")
        #expect(try await tocsin(second, "list", "--json") == dates)
        let skip = try await tocsin(first, "skip", "skipped", "--json")
        #expect(try await tocsin(second, "skip", "skipped", "--json") == skip)
    }

    // MARK: The button

    private static func buttons(_ arguments: String...) throws -> [NotificationAction] {
        guard case .command(let command) = try Invocation.parse(["send", "Tea"] + arguments),
            let send = command as? SendCommand
        else { throw ToolError(.failure, "not a send command") }
        return try send.content.buttons()
    }

    @Test func `the option --snooze adds a button that says how long the snooze is`() throws {
        let buttons = try Self.buttons("-A", "ok=OK", "--snooze", "1h30m")
        #expect(buttons.map(\.identifier) == ["ok", "snooze"])
        #expect(buttons[1].title == "Snooze 1 h 30 min" && buttons[1].snooze == 5_400)
    }

    @Test(
        arguments: [
            ([:], ["Reply", "Snooze 1 h 30 min"]), (["LANG": "C"], ["Reply", "Snooze 1 h 30 min"]),
            (["LANG": "de_DE.UTF-8"], ["Antworten", "In 1 Std. 30 Min. erinnern"]),
            (["LC_ALL": "ja_JP.UTF-8", "LANG": "de_DE.UTF-8"], ["返信", "1時間30分後に再通知"]),
            (["LANG": "de_DE.UTF-8", "LANGUAGE": "zh_TW"], ["回覆", "1 小時 30 分鐘後提醒"]),
        ] as [([String: String], [String])])
    func `the tool's own buttons are in the user's language`(
        variables: [String: String], titles: [String]
    ) throws {
        guard
            case .command(let command) = try Invocation.parse([
                "send", "Tea", "--reply", "--snooze", "1h30m",
            ]), let send = command as? SendCommand
        else { throw ToolError(.failure, "not a send command") }
        let environment = ToolEnvironment(
            variables: variables, directory: "/tmp", reactor: Self.environment.reactor)
        let actions = try send.content.outgoing(send.texts, in: environment)
            .request.content.actions
        #expect(actions.map(\.title) == titles)
        let language = environment.language
        #expect(actions.first?.textInput?.buttonTitle == language.words.send)
    }

    @Test(
        arguments: [
            (["--snooze", "soon"], ToolStatus.data),
            (["--snooze", "1m", "-A", "snooze=X"], .usage),
        ])
    func `the option --snooze is refused with a bad time, or beside a button with its id`(
        arguments: [String], status: ToolStatus
    ) throws {
        guard case .command(let command) = try Invocation.parse(["send", "Tea"] + arguments),
            let send = command as? SendCommand
        else { throw ToolError(.failure, "not a send command") }
        let error = try #require(throws: ToolError.self) { try send.content.buttons() }
        #expect(error.status == status)
    }

    @Test func `a pressed snooze button reaches watch and the notification comes again`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
        }
        #expect(try await tocsin("send", "First").status == 0)
        let watch = try RunningProgram(
            "\(ProgramTests.products)/tocsin", ["watch", "--json"], environment: bus.environment)
        let wait = try RunningProgram(
            "\(ProgramTests.products)/tocsin",
            ["send", "Tea", "--id", "tea", "--snooze", "1s", "-A", "ok=OK", "--wait"],
            environment: bus.environment)
        var posts = try await server.calls.wait(for: "the popup") { $0.count == 2 }
        #expect(posts[1].actions.map(\.label).prefix(2) == ["OK", "Snooze 1 s"])
        while watch.lines.all.isEmpty {
            // Press until the watcher is connected: a connected watcher receives each press.
            try await server.click(posts[posts.count - 1].id, "action.snooze")
            let count = posts.count
            posts = try await server.calls.wait(for: "the popup again") { $0.count > count }
        }
        let seen =
            #"{"app":"org.tocsin.Tocsin","id":"tea","outcome":"action","#
            + #""action":"snooze","reply":null}"#
        #expect(watch.lines.all[0] == seen)
        try await server.click(posts[posts.count - 1].id, "action.ok")
        #expect(try await wait.exit() == 0)
        try await wait.lines.untilFinished()
        #expect(wait.lines.all == ["ok"])
        await watch.stop()
        await server.stop()
    }
}
