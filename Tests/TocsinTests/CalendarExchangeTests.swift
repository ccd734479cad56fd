import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// What `export` writes as a calendar, and `import` reads again.
@Suite struct CalendarExchangeTests {
    /// Saturday 2026-11-21, 12:00 in a zone one hour east.
    private static let environment = ToolEnvironment(
        variables: ["TZ": "UTC-1"], directory: "/tmp",
        now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor(hosted: "unused"))
    private static let fire = Instant(microseconds: 1_795_334_400_250_000)
    private static let category = ToolCategory.category([ActionText.reply("Name")])

    private static func request(_ trigger: NotificationTrigger?) -> NotificationRequest {
        var content = NotificationContent(
            title: "T;\n\"ü\u{2028}\u{301}\", 日",
            body: "B\\n\u{85}\u{B}" + String(repeating: "x", count: 200))
        content.subtitle = "S"
        content.userInfo = ["data": .data([0, 255]), "text": .string("\u{1F514}\r\n\t")]
        content.categoryIdentifier = category.identifier
        var request = NotificationRequest(identifier: "a,b", content: content, trigger: trigger)
        (request.catchUp, request.grace) = (.skip, 90)
        return request
    }

    private static let rule = NotificationTrigger.rule(
        NotificationRule("every day at 09:00", timeZone: nil, until: nil, count: nil))

    private static func exported(
        _ request: NotificationRequest, at date: Instant? = fire
    ) throws -> String {
        let pending = PendingNotification(
            app: try ApplicationID("org.example.App"), request: request, state: .pending,
            nextFire: date)
        let members = try ExportFormat(zone: environment.zone).object(.pending(pending), category)
        return ICalendarText(environment: environment)
            .text(of: [(pending, line: JSONValue.object(members).text)])
    }

    private static func read(
        _ text: String, takesRequests: Bool = true
    ) -> (items: [ImportItem], errors: [ToolError]) {
        ICalendarImport(environment: environment, takesRequests: takesRequests).items(of: text)
    }

    @Test(
        arguments: [
            rule, .interval(seconds: 3_600, repeats: true), .at(fire),
            .rule(NotificationRule("every day at 09:00", timeZone: "UTC", until: nil, count: 4)),
            .calendar(
                {
                    var nine = CalendarComponents(); nine.hour = 9; return nine
                }(), repeats: true),
        ])
    func anExportedEventIsTheRequestThatItWas(trigger: NotificationTrigger) throws {
        let request = Self.request(trigger)
        let text = try Self.exported(request)
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        let (items, errors) = Self.read(text)
        #expect(errors.isEmpty)
        #expect(items.map(\.request) == [request])
        #expect(items.first?.app?.rawValue == "org.example.App")
        #expect(items.first?.category == Self.category)
    }

    @Test func whatFiresOnceAfterATimeIsExportedWithItsDate() throws {
        let text = try Self.exported(Self.request(.interval(seconds: 60, repeats: false)))
        #expect(Self.read(text).items.map(\.request.trigger) == [.at(Self.fire)])
    }

    @Test func whatHasNoDateIsATask() throws {
        let request = Self.request(.push)
        let text = try Self.exported(request, at: nil)
        #expect(text.contains("BEGIN:VTODO\r\n") && !text.contains("DTSTART"))
        #expect(Self.read(text).items.map(\.request) == [request])
    }

    @Test func aDateThatACalendarChangedWinsAndTheRestOfTheRequestStays() throws {
        let request = Self.request(.at(Self.fire))
        let text = try Self.exported(request)
            .replacing("DTSTART:20261122T080000Z", with: "DTSTART:20261123T080000Z")
        var moved = request
        moved.trigger = .at(Instant(microseconds: 1_795_420_800_000_000))
        let (items, errors) = Self.read(text)
        #expect(errors.isEmpty)
        #expect(items.map(\.request) == [moved])
        #expect(items.first?.category == Self.category)
    }

    @Test func wordsThatACalendarChangedWin() throws {
        let request = Self.request(Self.rule)
        let text = ICalendarLine.unfolded(try Self.exported(request)).map { line in
            line.hasPrefix("SUMMARY:") ? "SUMMARY:New\\, longer" : line
        }
        var renamed = request
        renamed.content.title = "New, longer"
        #expect(Self.read(text.joined(separator: "\n")).items.map(\.request) == [renamed])
    }

    @Test(
        arguments: [
            ("DTSTART:20261122T080000Z", "DTSTART:20261122T090000Z", 64),
            (",20261124T080000Z", "", 63),
            ("BEGIN:VALARM", "EXDATE:20261123T080000Z\nBEGIN:VALARM", 63),
        ])
    func ofARuleThatACalendarChangedTheDatesAreTakenAndThatIsSaid(
        old: String, new: String, count: Int
    ) throws {
        let text = ICalendarLine.unfolded(try Self.exported(Self.request(Self.rule)))
            .joined(separator: "\n").replacing(old, with: new)
        let (items, errors) = Self.read(text)
        #expect(items.count == count)
        #expect(items.first?.request.identifier == "a,b@2026-11-22")
        #expect(items.allSatisfy { $0.category == Self.category && $0.request.catchUp == .skip })
        #expect(
            errors.map(\.message) == [
                "'a,b': its dates were changed after it was exported, so they are imported one by one, "
                    + "and its rule 'every day at 09:00' is left out. Give it again with 'tocsin "
                    + "every'."
            ])
    }

    @Test func aRecurrenceThatACalendarGaveTakesThePlaceOfTheRule() throws {
        let text = try Self.exported(Self.request(Self.rule))
            .replacing("BEGIN:VALARM", with: "RRULE:FREQ=WEEKLY\r\nBEGIN:VALARM")
        guard case .rule(let rule)? = Self.read(text).items.first?.request.trigger else {
            Issue.record("no rule")
            return
        }
        #expect(rule.text == "every sunday at 08:00")
    }

    @Test func aRequestThatCannotBeReadIsNamedAndItsEventIsTaken() throws {
        let text = "BEGIN:VEVENT\nUID:u\nDTSTART:20261123T080000Z\nX-TOCSIN-REQUEST:{\nEND:VEVENT"
        let (items, errors) = Self.read(text)
        #expect(items.map(\.request.identifier) == ["u"])
        #expect(errors.count == 1)
        #expect(errors.first?.message.hasPrefix("'u': its X-TOCSIN-REQUEST cannot be read") == true)
    }

    @Test func aFolderThatOthersMayWriteToNamesNoRequests() throws {
        let (items, errors) = Self.read(
            try Self.exported(Self.request(.at(Self.fire))), takesRequests: false)
        #expect(errors.isEmpty)
        #expect(items.map(\.app) == [nil] && items.map(\.category) == [nil])
        #expect(items.first?.request.catchUp == .once)
    }

    // MARK: The programs

    @Test func aCalendarBringsBackWhatWasCancelled() async throws {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            let run = try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            return run
        }
        _ = try await tocsin(
            "every", "weekday at 9:30", "Stand up", "--id", "standup", "-A", "y=Yes")
        _ = try await tocsin("at", "2030-01-02 10:00", "Later", "--id", "later", "--snooze", "10m")
        let before = try await tocsin("export").output
        // Without the suffix it is known by its first line.
        let file = "\(bus.directory)/calendar"
        _ = try await tocsin("export", "--ics", file)
        _ = try await tocsin("cancel", "--all")
        let taken = try await tocsin("import", file)
        #expect(taken.output.split(separator: "\n").sorted() == ["later", "standup"])
        #expect(taken.errors == "2 imported.\n")
        #expect(try await tocsin("export").output == before)
    }

    @Test func anExportSaysOfHowManyTheCommandsAreNotInIt() async throws {
        let bus = try PrivateBus()
        for (id, more) in [("a", ["--on-click", "true"]), ("b", [])] {
            let run = try await ProgramTests.run(
                "tocsin", ["at", "2030-01-02 10:00", "T", "--id", id] + more,
                environment: bus.environment)
            #expect(run.status == 0, "\(run.errors)")
        }
        let export = try await ProgramTests.run("tocsin", ["export"], environment: bus.environment)
        #expect(export.status == 0)
        #expect(export.errors.hasPrefix("1 of them: the commands of clicks are not in it"))
    }

    @Test(arguments: [#"{"id":"a","title":"A"}"#, "", "BEGIN:VCARD\nEND:VCARD"])
    func whatIsNoCalendarIsNotReadAsOne(text: String) async throws {
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
    func aCalendarBeginsWithItsFirstLine(line: String) {
        #expect(ICalendarImport.isStart(Array(line.utf8)))
        #expect(!ICalendarImport.isStart(Array("{\(line)".utf8)))
    }
}
