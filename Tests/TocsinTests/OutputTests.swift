import DesktopBus
import Foundation
import NotificationModel
import NotificationSchedule
import TestSupport
import Testing

@testable import tocsin

/// The tool's output.
@Suite(.timeLimit(.minutes(5))) struct OutputTests {
    private static let zone = ZoneRules.fixed(3_600, abbreviation: "CET")
    private static let now = Instant(microseconds: 1_795_258_800_000_000)

    @Test func `Foundation reads the printed JSON back unchanged`() throws {
        let texts = ["", "\"\\/", "\u{0}\u{1F}\u{7F}\r\n\t", "Tüü 日本 👩‍👩‍👧", "\u{2028}"]
        let object = RecordValue.record([
            .init("texts", .list(texts.map { .string($0) })),
            .init("whole", .real(600)), .init("part", .real(0.25)),
            .init("large", .integer(.max)), .init("none", .null), .init("nan", .real(.nan)),
            .init("yes", .boolean(true)), .init("empty", .record([])),
        ])
        #expect(!object.text.contains("\n"))
        #expect(object.text.contains("\"whole\":600,\"part\":0.25"))
        let back = try JSONSerialization.jsonObject(with: Data(object.text.utf8))
        let members = try #require(back as? [String: Any])
        #expect(members["texts"] as? [String] == texts)
        #expect(members["large"] as? Int64 == .max)
        #expect(members["none"] is NSNull)
        #expect(members["nan"] as? [String: String] == ["$real": "nan"])
    }

    @Test(arguments: [(1, "once more"), (2, "2 times more")])
    func `the text of a rule says how often the rule still fires`(count: Int, words: String) {
        let times = RelativeTime(now: Self.now, zone: Self.zone)
        let rule = NotificationRule("every day at 09:00", count: count)
        #expect(times.text(of: .rule(rule)) == "every day at 09:00, " + words)
    }

    @Test func `the JSON of a listed request has the documented keys`() throws {
        var components = CalendarComponents()
        components.hour = 9
        components.timeZone = "Europe/Berlin"
        let format = NotificationJSON(zone: Self.zone)
        func text(_ trigger: NotificationTrigger?, next: Instant?) -> String {
            let request = NotificationRequest(
                identifier: "a", content: .init(title: "T", body: "B"), trigger: trigger)
            return format.object(
                .pending(
                    PendingNotification(
                        app: .tocsin, request: request, state: .pending, nextFire: next))
            ).text
        }
        let start =
            #"{"id":"a","app":"org.tocsin.Tocsin","title":"T","subtitle":"","body":"B","state":"#
        #expect(
            text(.interval(seconds: 600, repeats: true), next: Self.now) == start
                + #""pending","nextFire":"2026-11-21T12:00:00+01:00","repeats":true,"#
                + #""trigger":{"kind":"interval","seconds":600,"repeats":true}}"#)
        #expect(
            text(.at(Self.now), next: nil) == start
                + #""pending","nextFire":null,"repeats":false,"#
                + #""trigger":{"kind":"at","date":"2026-11-21T12:00:00+01:00"}}"#)
        #expect(
            text(.calendar(components, repeats: true), next: nil).hasSuffix(
                #""trigger":{"kind":"calendar","components":{"hour":9},"#
                    + #""timeZone":"Europe/Berlin","repeats":true}}"#))
        #expect(text(nil, next: nil).hasSuffix(#""trigger":null}"#))
        #expect(text(.push, next: nil).hasSuffix(#""trigger":{"kind":"push"}}"#))
        let rule = NotificationRule("every day at 09:00", until: Self.now, count: 3)
        #expect(
            text(.rule(rule), next: nil).hasSuffix(
                #""repeats":true,"trigger":{"kind":"rule","rule":"every day at 09:00","#
                    + #""timeZone":null,"until":"2026-11-21T12:00:00+01:00","count":3}}"#))
        let home = NotificationRegion(
            identifier: "home", latitude: 52.5, longitude: 13.25, radius: 100, onExit: false)
        #expect(
            text(.region(home, repeats: true), next: nil) == start
                + #""pending","nextFire":null,"repeats":true,"trigger":{"kind":"region","#
                + #""identifier":"home","latitude":52.5,"longitude":13.25,"radius":100,"#
                + #""onEntry":true,"onExit":false,"repeats":true,"monitored":true}}"#)
    }

    @Test(
        arguments: [
            (
                WaitOutcome.response(.custom("yes")), "action", "\"yes\"", "null", ToolStatus.done,
                "yes"
            ),
            (.response(.standard), "default", "null", "null", .done, "default"),
            (.response(.reply("r", text: "hi")), "reply", "\"r\"", "\"hi\"", .done, "hi"),
            (.response(.reply("r", text: nil)), "action", "\"r\"", "null", .done, "r"),
            (.response(.dismiss), "dismissed", "null", "null", .dismissed, nil),
            (.timedOut, "timeout", "null", "null", .timedOut, nil),
        ] as [(WaitOutcome, String, String, String, ToolStatus, String?)])
    func `the answer to a wait is printed, and decides the exit status`(
        answer: WaitOutcome, outcome: String, action: String, reply: String, status: ToolStatus,
        text: String?
    ) {
        #expect(
            answer.object(identifier: "a").text
                == #"{"id":"a","outcome":"\#(outcome)","action":\#(action),"reply":\#(reply)}"#)
        #expect(answer.status == status)
        #expect(answer.text == text)
    }

    @Test(
        arguments: [
            (0.4, "now"), (30, "in 30 s"), (-45, "45 s ago"), (90, "in 1 min 30 s"),
            (600, "in 10 min"), (660, "in 11 min"), (3_600, "in 1 h"), (5_400, "in 1 h 30 min"),
            (90_000, "in 1 d 1 h"), (-172_800, "2 d ago"),
        ] as [(Double, String)])
    func `the distance to a date has at most two units`(seconds: Double, text: String) {
        let times = RelativeTime(now: Self.now, zone: Self.zone)
        let instant = Self.now.adding(microseconds: Int64(seconds * 1_000_000))
        #expect(times.distance(instant) == text)
    }

    @Test func `a list is aligned and harmless to a terminal`() {
        let times = RelativeTime(now: Self.now, zone: Self.zone)
        func row(_ identifier: String, _ title: String, _ minutes: Int64) -> ListedNotification {
            ListedNotification.pending(
                PendingNotification(
                    app: .tocsin,
                    request: .init(identifier: identifier, content: .init(title: title)),
                    state: .pending,
                    nextFire: Self.now.adding(microseconds: minutes * 60_000_000)))
        }
        let table = ListTable(times: times, showsApp: false)
        let text = table.text(
            of: [row("tea", "Tea\u{1B}[2J\nnow", 5), row("日本語", "x", 600)].map(table.row))
        #expect(
            text == """
                ID      WHEN      TIME                         TITLE
                tea     in 5 min  Sat 2026-11-21 12:05:00 CET  Tea [2J now
                日本語  in 10 h   Sat 2026-11-21 22:00:00 CET  x

                """)
    }

    /// A wrong width displaces the columns after the text.
    @Test(
        arguments: [
            ("⌚", 2), ("⏰", 2), ("⚡", 2), ("✅", 2), ("⭐", 2), ("🟠", 2), ("🪐", 2), ("🎉", 2),
            ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("❤", 1),
            ("🖥", 1), ("🖥\u{FE0F}", 2), ("→", 1), ("e\u{301}", 1), ("日", 2), ("tea", 3), ("", 0),
        ] as [(String, Int)])
    func `an emoji and a wide letter take two columns`(text: String, width: Int) {
        #expect(text.terminalWidth == width)
    }

    @Test(arguments: NotificationError.Code.allCases)
    func `every error code has a documented exit status`(code: NotificationError.Code) {
        let known: [ToolStatus] = [.failure, .data, .noServer, .unreachable, .notAllowed]
        #expect(known.contains(ToolStatus(code)))
        #expect(ToolStatus(code) != .failure || ![.noBus, .noServer, .notAllowed].contains(code))
    }

    @Test func `our GVariant parser reads back the texts that we escape for GLib`() {
        for text in HostileTexts.withoutNUL {
            #expect(GVariantParser.value(of: GVariantEscaping.string(text)) == .string(text))
        }
    }

    @Test func `a terminal gets neither control characters nor changes of the writing direction`()
        async throws
    {
        let bus = try PrivateBus()
        let title = "T\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{2066}\u{85}\u{2028}e"
        let line =
            #"{"id":"t","title":\#(JSONEscaping.string(title)),"trigger":"#
            + #"{"kind":"at","date":"2099-01-02T10:00:00Z"}}"#
        let file = "\(bus.directory)/line"
        try line.write(toFile: file, atomically: true, encoding: .utf8)
        let added = try await ProgramTests.run(
            "tocsin", ["import", file], environment: bus.environment)
        #expect(added.status == 0, "\(added.errors)")
        for arguments in [
            ["list", "--json"], ["list"], ["list", "--all-apps"], ["show", "t"],
            ["show", "t", "--json"], ["export"], ["export", "--ics"], ["frob\u{9B}2J"],
            ["cancel", "x\u{9B}2J\u{202E}"],
        ] {
            var variables = bus.environment
            variables["TERM"] = "xterm"
            let program = try TerminalProgram(
                "\(ProgramTests.products)/tocsin", arguments, environment: variables,
                in: bus.directory)
            _ = try await program.exit()
            for line in program.lines.all {
                let shown = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
                    .unicodeScalars.filter { $0 != "\r" && $0 != "\t" }
                #expect(
                    !shown.contains(where: TerminalEscaping.isHarmful),
                    "\(arguments): \(line.debugDescription)")
            }
            #expect(!program.lines.all.isEmpty)
        }
        // A program that reads the JSON gets the original text.
        let list = try await ProgramTests.run(
            "tocsin", ["list", "--json"], environment: bus.environment)
        #expect(list.output.contains(#"\u009b2J\u202e\u2066\u0085\u2028e"#))
        let read = try JSONSerialization.jsonObject(with: Data(list.output.utf8))
        #expect((read as? [String: Any])?["title"] as? String == title)
    }
}

/// `watch` on the command line.
@Suite struct WatchCommandTests {
    private static func line(
        _ action: NotificationResponse.Action, _ arguments: String...
    ) throws -> String {
        guard case .command(let command) = try Invocation.parse(["watch"] + arguments),
            let watch = command as? WatchCommand
        else { throw ToolError(.failure, "not a watch command") }
        let key = NotificationKey(app: .tocsin, identifier: "tea\u{1B}[2J")
        return watch.text(key, action)
    }

    @Test func `watch prints an answer as a line`() throws {
        let app = ApplicationID.tocsin.rawValue
        let lines = try [.standard, .dismiss, .custom("pour"), .reply("say", text: "yes")].map {
            try Self.line($0)
        }
        for (line, end) in zip(lines, ["default", "dismissed", "action  pour", "reply  say  yes"]) {
            #expect(line.hasPrefix("\(app)  tea") && line.hasSuffix("  \(end)"), "\(line)")
            #expect(!line.contains("\u{1B}"))
        }
    }

    @Test func `watch prints an answer as a JSON object`() throws {
        let line = try Self.line(.reply("say", text: "yes"), "--json")
        #expect(line.hasPrefix(#"{"app":"\#(ApplicationID.tocsin)","id":"tea"#))
        #expect(line.hasSuffix(#","outcome":"reply","action":"say","reply":"yes"}"#))
        #expect(try Self.line(.standard, "--json").hasSuffix(#""action":null,"reply":null}"#))
    }
}
