import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// The calendars that `export` writes, and the effects of an imported calendar.
@Suite(.timeLimit(.minutes(5))) struct CalendarExchangeTests {
    /// Saturday 2026-11-21, 12:00 in a zone one hour east.
    private static let environment = ToolEnvironment(
        variables: ["TZ": "UTC-1"], directory: "/tmp",
        now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor.hosted("unused"))
    private static let fire = Instant(microseconds: 1_795_334_400_000_000)

    private static func exported(
        _ trigger: NotificationTrigger?, _ text: String = "T", at date: Instant? = fire
    ) throws -> String {
        var content = NotificationContent(title: text, body: text)
        content.categoryIdentifier = "c"
        let pending = PendingNotification(
            app: try ApplicationID("org.example.App"),
            request: NotificationRequest(identifier: "a,b", content: content, trigger: trigger),
            state: .pending, nextFire: date)
        return ICalendarWriter(environment: environment).text(of: [pending])
    }

    private static func read(_ text: String) -> (items: [ImportItem], errors: [ToolError]) {
        ICalendarImport(environment: environment).items(of: text)
    }

    private static let rule = NotificationTrigger.rule(
        NotificationRule("every day at 09:00", timeZone: nil, until: nil, count: nil))

    @Test func `an export has one date of a one-shot request and 64 dates of a repeating request`()
        throws
    {
        let once = Self.read(try Self.exported(.at(Self.fire))).items
        #expect(once.map(\.request.trigger) == [.at(Self.fire)])
        #expect(once.map(\.request.identifier) == ["a,b"])
        let many = Self.read(try Self.exported(Self.rule)).items
        #expect(many.count == Limits.calendarDates.most)
        #expect(many.first?.request.identifier == "a,b@2026-11-22")
        let task = try Self.exported(.push, at: nil)
        #expect(task.contains("BEGIN:VTODO\r\n") && !task.contains("DTSTART"))
    }

    private static let nine: CalendarComponents = {
        var components = CalendarComponents()
        components.hour = 9
        return components
    }()

    /// Each kind of trigger, the seconds between its dates, and the number of written dates.
    @Test(
        arguments: [
            (rule, 86_400, 64), (.interval(seconds: 3_600, repeats: true), 3_600, 64),
            (.interval(seconds: 60, repeats: false), 0, 1), (.at(fire), 0, 1),
            (.calendar(nine, repeats: true), 86_400, 64), (.calendar(nine, repeats: false), 0, 1),
            (.rule(NotificationRule("day at 08:00", timeZone: "UTC", count: 4)), 86_400, 4),
        ] as [(NotificationTrigger, Int64, Int64)])
    func `every trigger is exported with its dates`(
        trigger: NotificationTrigger, step: Int64, count: Int64
    ) throws {
        let (items, errors) = Self.read(try Self.exported(trigger))
        #expect(errors.isEmpty)
        let dates = (0..<count).map { Self.fire.adding(microseconds: $0 * step * 1_000_000) }
        #expect(items.map(\.request.trigger) == dates.map { .at($0) })
    }

    @Test func `an exported event has the title and the text of its request`() throws {
        let end = String(repeating: "x", count: 200)
        let calendar = try Self.exported(
            .at(Self.fire), "T;\n\"ü\u{2028}\u{301}\", 日\\n" + end)
        let content = Self.read(calendar).items.first?.request.content
        let text = "T;\n\"ü\n\u{301}\", 日\\n" + end
        #expect(content?.title == text)
        #expect(content?.body == text)
    }

    @Test func `an exported calendar contains no app identifier and no JSON`() throws {
        let text = try Self.exported(Self.rule)
        #expect(!text.contains("X-") && !text.contains("org.example.App") && !text.contains("{"))
    }

    @Test(arguments: HostileTexts.all)
    func `a hostile text changes no other part of its exported event`(text: String) throws {
        let calendar = try Self.exported(.at(Self.fire), text)
        #expect(calendar.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        let items = Self.read(calendar).items
        #expect(items.count == 1)
        #expect(items.first?.request.identifier == "a,b")
        #expect(items.first?.request.trigger == .at(Self.fire))
    }

    @Test func `a stranger's calendar becomes plain reminders of the user and nothing else`() throws
    {
        let request =
            #"{"id":"a","app":"org.example.App","title":"A","attachments":[{"id":"p","#
            + #""path":"/etc/passwd"}],"commands":{"click":["/bin/id"],"actions":{}}}"#
        let (items, errors) = Self.read(
            """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:u
            SUMMARY:S
            DTSTART:20261123T080000Z
            X-TOCSIN-REQUEST:\(ICalendarEscaping.text(request))
            X-TOCSIN-APP:org.example.App
            ATTACH:file:///etc/passwd
            IMAGE;VALUE=URI:file:///etc/passwd
            CATEGORIES:c
            BEGIN:VALARM
            ACTION:PROCEDURE
            ATTACH;FMTTYPE=application/x-sh:file:///bin/id
            TRIGGER:PT0S
            END:VALARM
            BEGIN:VALARM
            ACTION:AUDIO
            ATTACH;VALUE=URI:file:///dev/zero
            TRIGGER:PT1H
            END:VALARM
            END:VEVENT
            END:VCALENDAR
            """)
        #expect(errors.isEmpty && items.count == 2)
        for item in items {
            #expect(
                item.app == nil && item.commands == nil
                    && item.request.content.actions.isEmpty)
            #expect(item.source == ICalendarImport.file)
            let content = item.request.content
            #expect(content.title == "S" && content.attachments.isEmpty && content.sound == nil)
            #expect(content.categoryIdentifier.isEmpty && content.targetContentIdentifier == nil)
            #expect(Set(content.userInfo.keys) == [ICalendarImport.mark, RequestTag.created])
            var desktop = DesktopOptions()
            desktop.offersClick = false
            #expect(content.desktop == desktop)
        }
    }

    @Test func `events without a UID have separate ids, and an exception changes only its event`() {
        func event(_ title: String, _ lines: String) -> String {
            "BEGIN:VEVENT\nSUMMARY:\(title)\n\(lines)\nEND:VEVENT\n"
        }
        let (items, errors) = Self.read(
            event("Tea", "DTSTART:20261123T080000Z\nRRULE:FREQ=DAILY;COUNT=2")
                + event("Run", "DTSTART:20261123T080000Z\nRRULE:FREQ=DAILY;COUNT=2")
                + event("Run", "RECURRENCE-ID:20261124T080000Z\nDTSTART:20261124T150000Z")
                + event("Dentist", "DTSTART:20261125T080000Z")
                + event("Dentist", "DTSTART:20261126T080000Z"))
        #expect(errors.isEmpty)
        #expect(
            items.map(\.request.identifier) == [
                "Tea/20261123T080000Z@2026-11-23", "Tea/20261123T080000Z@2026-11-24",
                "Run/20261123T080000Z@2026-11-23", "Run/20261124T080000Z",
                "Dentist/20261125T080000Z", "Dentist/20261126T080000Z",
            ])
    }

    /// If only the BEGIN line of a deep component were skipped, its END line would close the event
    /// around it.
    @Test func `a component beyond the depth limit is skipped up to its end`() {
        let deep = Array(repeating: "X", count: Limits.calendarDepth.most - 1)
        let begins = deep.map { "BEGIN:\($0)" }.joined(separator: "\n")
        let items = Self.read(
            """
            BEGIN:VEVENT
            \(begins)
            BEGIN:VEVENT
            UID:inner
            END:VEVENT
            \(deep.map { "END:\($0)" }.joined(separator: "\n"))
            UID:outer
            DTSTART:20261124T100000
            END:VEVENT
            """
        ).items
        #expect(items.map(\.request.identifier) == ["outer"])
    }

    @Test func `a date without a time in a recurrence means that day at the event's time`() {
        let (items, errors) = Self.read(
            """
            BEGIN:VEVENT
            UID:u
            DTSTART:20261123T080000Z
            RRULE:FREQ=DAILY;COUNT=4
            EXDATE;VALUE=DATE:20261124
            RDATE;VALUE=DATE:20261128
            END:VEVENT
            BEGIN:VEVENT
            UID:u
            RECURRENCE-ID;VALUE=DATE:20261125
            DTSTART:20261125T080000Z
            STATUS:CANCELLED
            END:VEVENT
            """)
        #expect(errors.isEmpty)
        #expect(
            items.map(\.request.identifier) == ["u@2026-11-23", "u@2026-11-26", "u@2026-11-28"])
        let last = Self.fire.adding(microseconds: 6 * 86_400_000_000)
        #expect(items.last?.request.trigger == .at(last))
    }

    @Test(
        arguments: [
            ("DTSTART:x", "'u': the date 'x' cannot be read"), ("DUE:x", "the date 'x'"),
            ("DTSTART:20261123\nBEGIN:VALARM\nTRIGGER:-PT5X\nEND:VALARM", "the TRIGGER '-PT5X'"),
            ("DTSTART:20261123\nRECURRENCE-ID:x", "the RECURRENCE-ID 'x' is no date"),
            ("DTSTART:20261123\nRECURRENCE-ID:x\nSTATUS:CANCELLED", "the RECURRENCE-ID 'x'"),
            ("DTSTART:20261123\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261123", "only the date"),
        ])
    func `the error names an unusable value of an event`(lines: String, reason: String) {
        let errors = Self.read("BEGIN:VEVENT\nUID:u\n\(lines)\nEND:VEVENT\n").errors
        #expect(errors.count == 1)
        #expect(errors.first?.message.contains(reason) == true, "\(errors.map(\.message))")
    }

    // MARK: The programs

    private static func calendar(_ uid: String, _ title: String) -> String {
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:\(uid)\nSUMMARY:\(title)\nDTSTART:20990101T100000Z\n"
            + "END:VEVENT\nEND:VCALENDAR\n"
    }

    @Test func `a calendar replaces its own reminders and no other notification`() async throws {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
        }
        #expect(try await tocsin("at", "2099-01-02 10:00", "Mine", "--id", "tea").status == 0)
        let file = "\(bus.directory)/mail.ics"
        func importCalendar(_ uid: String, _ title: String) async throws -> ProgramTests.Run {
            try Self.calendar(uid, title).write(toFile: file, atomically: true, encoding: .utf8)
            return try await tocsin("import", file)
        }
        let refused = try await importCalendar("tea", "Theirs")
        #expect(refused.status == 65 && refused.output.isEmpty)
        #expect(
            refused.errors.hasPrefix(
                "tocsin: 'tea' is the identifier of a notification that this calendar did not make"),
            "\(refused.errors)")
        #expect(try await importCalendar("meeting", "First").output == "meeting")
        #expect(try await importCalendar("meeting", "Second").output == "meeting")
        let list = try await tocsin("list", "--json").output
        #expect(list.contains("\"Mine\"") && list.contains("\"Second\""))
        #expect(!list.contains("\"Theirs\"") && !list.contains("\"First\""))
    }

    @Test func `an import restores the requests of an exported calendar from a file of any name`()
        async throws
    {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            let run = try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            return run
        }
        _ = try await tocsin("at", "2099-01-02 10:00", "First", "one", "--id", "a")
        _ = try await tocsin("at", "2099-01-03 10:00", "Second", "--id", "b")
        // Schedule by dates, because a calendar cannot hold an interval.
        let before = try await tocsin("list", "--json").output
        // The name has no suffix, so `import` recognises the file by its first line.
        let file = "\(bus.directory)/calendar"
        _ = try await tocsin("export", "--ics", file)
        _ = try await tocsin("remove", "--all")
        #expect(try await tocsin("list", "--json").output.isEmpty)
        let taken = try await tocsin("import", file)
        #expect(taken.output == "a\nb")
        #expect(taken.errors == "2 imported.\n")
        #expect(try await tocsin("list", "--json").output == before)
        #expect(try await tocsin("show", "a").output.contains("one"))
    }

    @Test func `an imported request never gets the commands of an earlier request`() async throws {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            let run = try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            return run
        }
        _ = try await tocsin("at", "2099-01-02 10:00", "A", "--id", "a", "--on-click", "echo old")
        let file = "\(bus.directory)/backup.jsonl"
        #expect(try await tocsin("export", file).errors.contains("Add '--with-commands'"))
        _ = try await tocsin("import", file)
        #expect(
            try await tocsin("list", "--json", "--commands").output.contains("\"commands\":null"))

        _ = try await tocsin("at", "2099-01-02 10:00", "B", "--id", "b", "--open", "/a'\u{301};id")
        _ = try await tocsin("remove", "a")
        let whole = try await tocsin("list", "--json", "--commands").output
        #expect(whole.contains(#""click":["xdg-open","/a'\#u{301};id"]"#), "\(whole)")
        _ = try await tocsin("export", file, "--with-commands")
        _ = try await tocsin("remove", "b")
        let without = try await tocsin("import", file)
        #expect(without.errors.contains("Notifications whose commands were left out: 1."))
        #expect(
            try await tocsin("list", "--json", "--commands").output.contains("\"commands\":null"))
        _ = try await tocsin("import", file, "--with-commands")
        #expect(try await tocsin("list", "--json", "--commands").output == whole)
        // The import refuses an event with this identifier, so the request keeps its commands.
        let mail = "\(bus.directory)/mail.ics"
        try Self.calendar("b", "Theirs").write(toFile: mail, atomically: true, encoding: .utf8)
        let refused = try await ProgramTests.run(
            "tocsin", ["import", mail], environment: bus.environment)
        #expect(refused.status == 65)
        #expect(try await tocsin("list", "--json", "--commands").output == whole)
    }

    @Test func `an import with commands does not change the name of the app`() async throws {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> String {
            let run = try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            return run.output
        }
        _ = try await tocsin("at", "2099-01-02 10:00", "A", "-a", "Back Up", "--on-click", "true")
        let file = "\(bus.directory)/backup.jsonl"
        for command in ["export", "import"] {
            _ = try await tocsin(command, file, "--all-apps", "--with-commands")
        }
        #expect(try await tocsin("settings", "--json").contains(#""name":"Back Up""#))
    }

    @Test func `lines of other apps are imported only with --all-apps`() async throws {
        let bus = try PrivateBus()
        let file = "\(bus.directory)/lines"
        let trigger = #""trigger":{"kind":"at","date":"2099-01-02T10:00:00Z"}"#
        let commands = #""commands":{"click":["/bin/id"],"actions":{},"directory":"/"}"#
        let lines = [
            #"{"id":"own","title":"T",\#(trigger)}"#,
            #"{"id":"other","app":"org.example.A","title":"T",\#(trigger)}"#,
            #"{"id":"run","app":"org.example.A","title":"T",\#(trigger),\#(commands)}"#,
        ]
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        func importCalendar(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run(
                "tocsin", ["import", file] + arguments, environment: bus.environment)
        }
        let plain = try await importCalendar()
        #expect(plain.status == 65 && plain.output == "own")
        #expect(
            plain.errors.contains(
                "tocsin: line 2: 'other' is a request of the app 'org.example.A'. Add '--all-apps'"),
            "\(plain.errors)")
        #expect(try await importCalendar("--all-apps").output == "own\nother\nrun")
        let refused = try await importCalendar("--all-apps", "--with-commands")
        #expect(refused.status == 65 && refused.output == "own\nother")
        #expect(refused.errors.contains("line 3: 'run' has commands"), "\(refused.errors)")
        let all = try await ProgramTests.run(
            "tocsin", ["list", "--all-apps", "--json"], environment: bus.environment)
        #expect(all.output.contains(#""id":"other","app":"org.example.A""#))
        #expect(try await importCalendar("--app", "org.example.B").output == "own\nother\nrun")
        #expect(try await importCalendar("--app", "a", "--all-apps").status == 64)
        #expect(try await importCalendar("--ics", "--all-apps").status == 64)
    }

    @Test func `a calendar export says in one line what the calendar cannot hold`() async throws {
        let bus = try PrivateBus()
        for arguments in [
            ["every", "weekday at 9:30", "R", "--id", "r", "-A", "y=Yes", "--on", "y=true"],
            ["at", "2099-01-02 10:00", "P", "--id", "p"],
        ] {
            let run = try await ProgramTests.run(
                "tocsin", arguments, environment: bus.environment)
            #expect(run.status == 0, "\(run.errors)")
        }
        let run = try await ProgramTests.run(
            "tocsin", ["export", "--ics"], environment: bus.environment)
        #expect(run.status == 0 && run.output.hasPrefix("BEGIN:VCALENDAR"))
        #expect(
            run.errors.hasSuffix(
                " calendar cannot hold everything. Of the notifications, 1 repeat (their next "
                    + "dates are written), 1 have buttons, 1 have commands. 'tocsin export backup.jsonl "
                    + "--with-commands' writes all of it.\n"))
    }

    @Test(arguments: [#"{"id":"a","title":"A"}"#, "", "BEGIN:VCARD\nEND:VCARD"])
    func `import --ics refuses a file that is no calendar`(text: String) async throws {
        let bus = try PrivateBus()
        let file = "\(bus.directory)/b.jsonl"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let run = try await ProgramTests.run(
            "tocsin", ["import", "--ics", file], environment: bus.environment)
        #expect(run.status == 65)
        #expect(run.errors.hasPrefix("tocsin: '\(file)' is not a calendar: "), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test(arguments: ["BEGIN:VCALENDAR", "\u{FEFF}begin:vcalendar\r"])
    func `a calendar is recognised by its first line`(line: String) {
        #expect(ICalendarImport.isStart(Array(line.utf8)))
        #expect(!ICalendarImport.isStart(Array("{\(line)".utf8)))
    }
}
