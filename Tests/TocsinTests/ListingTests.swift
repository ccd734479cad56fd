import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// The agenda, the missed requests, and the reasons why a request is not shown.
@Suite(.timeLimit(.minutes(5))) struct ListingTests {
    private static let zone = ZoneRules.fixed(3_600, abbreviation: "CET")
    /// Saturday 2026-11-21, 12:00 in a zone one hour east.
    private static let now = Instant(microseconds: 1_795_258_800_000_000)
    private static let environment = ToolEnvironment(
        variables: ["TZ": "UTC-1"], directory: "/tmp", now: now, zone: zone,
        reactor: Reactor.hosted("unused"))
    private static let times = RelativeTime(now: now, zone: zone)

    private static func minutes(_ count: Int64) -> Instant {
        now.adding(microseconds: count * 60_000_000)
    }

    private static func pending(
        _ identifier: String, _ trigger: NotificationTrigger?, next: Instant?
    ) -> PendingNotification {
        PendingNotification(
            app: .tocsin,
            request: .init(
                identifier: identifier, content: .init(title: "T \(identifier)"), trigger: trigger),
            state: .pending, nextFire: next)
    }

    private static func status(isAvailable: Bool, _ capabilities: [String] = []) -> ServiceStatus {
        ServiceStatus(
            version: Version.current, hosting: "daemon", store: "/s", pendingCount: 1,
            deliveredCount: 0, responseCount: 0, nextFire: nil,
            presenter: PresenterStatus(isAvailable: isAvailable, capabilities: capabilities))
    }

    // MARK: Dates

    @Test func `the next dates follow from the trigger`() {
        let upcoming = FireDateForecast(environment: Self.environment)
        func dates(_ trigger: NotificationTrigger?, _ limit: Int = 3) -> [Int64] {
            upcoming.dates(of: Self.pending("a", trigger, next: Self.minutes(10)), limit: limit)
                .map { ($0.instant.microseconds - Self.now.microseconds) / 60_000_000 }
        }
        #expect(dates(nil) == [10])
        #expect(dates(.interval(seconds: 600, repeats: false)) == [10])
        #expect(dates(.interval(seconds: 600, repeats: true)) == [10, 20, 30])
        #expect(dates(.rule(NotificationRule("every 15m"))) == [10, 25, 40])
        #expect(dates(.rule(NotificationRule("every 15m", count: 2))) == [10, 25])
        #expect(dates(.rule(NotificationRule("every 15m", until: Self.minutes(30)))) == [10, 25])
        #expect(dates(.rule(NotificationRule("every day at 12:30")), 2) == [10, 30])
        var components = CalendarComponents()
        components.minute = 30
        components.timeZone = "UTC"
        #expect(dates(.calendar(components, repeats: true)) == [10, 30, 90])
        #expect(dates(.calendar(components, repeats: false)) == [10])
        components.calendar = "hebrew"
        #expect(dates(.calendar(components, repeats: true)) == [10])
        #expect(upcoming.dates(of: Self.pending("a", nil, next: nil), limit: 3).isEmpty)
    }

    /// If a request waits for a server, the centre shows it once when a server appears.
    @Test func `the dates after a past date lie in the future`() {
        func dates(
            _ trigger: NotificationTrigger, next: Int64, regular: Int64? = nil
        ) -> [Int64] {
            var pending = Self.pending("a", trigger, next: Self.minutes(next))
            pending.regular = regular.map(Self.minutes)
            return FireDateForecast(environment: Self.environment)
                .dates(of: pending, limit: 3)
                .map { ($0.instant.microseconds - Self.now.microseconds) / 60_000_000 }
        }
        let interval = NotificationTrigger.interval(seconds: 600, repeats: true)
        #expect(dates(interval, next: -100) == [-100, 10, 20])
        #expect(dates(interval, next: -14, regular: -20) == [-14, 10, 20])
        let rule = NotificationTrigger.rule(NotificationRule("every 15m", until: Self.minutes(6)))
        #expect(dates(rule, next: -100) == [-100, 5])
        let daily = NotificationTrigger.rule(NotificationRule("every day at 12:30", count: 3))
        #expect(dates(daily, next: -2_850) == [-2_850, 30, 1_470])
        var components = CalendarComponents()
        (components.minute, components.timeZone) = (30, "UTC")
        #expect(dates(.calendar(components, repeats: true), next: -90) == [-90, 30, 90])
    }

    /// The later dates of an interval count from the regular date, not from the snoozed date.
    @Test func `the dates after a snooze are the regular dates`() {
        func dates(
            _ trigger: NotificationTrigger, next: Int64, regular: Int64, _ limit: Int = 3
        ) -> [Int64] {
            var pending = Self.pending("a", trigger, next: Self.minutes(next))
            pending.regular = Self.minutes(regular)
            return FireDateForecast(environment: Self.environment)
                .dates(of: pending, limit: limit)
                .map { ($0.instant.microseconds - Self.now.microseconds) / 60_000_000 }
        }
        let interval = NotificationTrigger.interval(seconds: 600, repeats: true)
        #expect(dates(interval, next: 14, regular: 10) == [14, 20, 30])
        #expect(dates(interval, next: 35, regular: 10) == [35, 40, 50])
        #expect(dates(interval, next: 3, regular: 10) == [3, 10, 20])
        let rule = NotificationTrigger.rule(NotificationRule("every 15m"))
        #expect(dates(rule, next: 20, regular: 15) == [20, 30, 45])
        let daily = NotificationTrigger.rule(NotificationRule("every day at 12:30"))
        #expect(dates(daily, next: 40, regular: 30, 2) == [40, 1_470])
        // The user skipped the date at 30 minutes before the snooze.
        #expect(dates(daily, next: 10, regular: 1_470) == [10, 1_470, 2_910])
        // The regular date is from another zone.
        #expect(dates(daily, next: 10, regular: 1_403) == [10, 30, 1_470])
    }

    /// The daemon may lack the tool's variable `TZ`, and have another zone.
    ///
    /// The tool must compute the other dates in the zone of the date that the daemon gives.
    @Test func `a trigger without a zone has all dates in the zone of its known date`() throws {
        let environment = ToolEnvironment(
            variables: ["TZ": "<XYZ>-7:33"], directory: "/tmp", now: Self.now, zone: .fixed(27_180),
            reactor: Reactor.hosted("unused"))
        let forecast = FireDateForecast(environment: environment)
        var components = CalendarComponents()
        (components.hour, components.minute) = (12, 30)
        let triggers: [NotificationTrigger] = [
            .rule(NotificationRule("every day at 12:30")), .calendar(components, repeats: true),
        ]
        let rule = try Rule("every day at 12:30")
        for zone in [environment.zone, environment.zoneOfSystem()] {
            let dates = rule.dates(after: Self.now, in: zone, limit: 3).map(\.instant)
            for trigger in triggers {
                let pending = Self.pending("a", trigger, next: dates[0])
                #expect(forecast.dates(of: pending, limit: 3).map(\.instant) == dates)
            }
        }
    }

    // MARK: The agenda

    private static func agenda(_ terminal: Terminal = Terminal()) -> Agenda {
        let rows = [
            pending("late", .at(minutes(-5)), next: minutes(-5)),
            pending("tea", .interval(seconds: 300, repeats: false), next: minutes(5)),
            pending("日本", .rule(NotificationRule("every day at 09:00")), next: minutes(21 * 60)),
            pending("year", .at(minutes(1_440 * 60)), next: minutes(1_440 * 60)),
            pending("none", nil, next: nil),
        ]
        return Agenda(
            rows: rows, dates: [minutes(5), minutes(6), minutes(21 * 60)], times: times,
            terminal: terminal)
    }

    @Test func `pending requests are grouped by day below a bar`() {
        #expect(
            Self.agenda().text == """
                The next 24 hours
                  2·········································●·····
                  12          18          00          06

                Due
                  1  11:55  late  T late  (5 min ago)

                Today, Sat 21 November
                  2  12:05  tea  T tea  (in 5 min)

                Tomorrow, Sun 22 November
                  3  09:00  日本  T 日本  (in 21 h; every day at 09:00)

                Wed 20 January 2027
                  4  12:00  year  T year  (in 60 d)

                Without a date
                  5  -  none  T none

                """)
    }

    /// Each command counts within one app, so `remove 2` would remove another request than the
    /// second line shows.
    @Test func `an agenda of all apps names the app and numbers no request`() {
        var agenda = Self.agenda()
        agenda.showsApp = true
        let text = agenda.text
        #expect(text.contains("\n  12:05  tea  org.tocsin.Tocsin  T tea  (in 5 min)\n"), "\(text)")
        #expect(text.contains("\n  -  none  org.tocsin.Tocsin  T none\n"), "\(text)")
    }

    @Test func `the agenda has colours if the terminal has colours`() {
        var terminal = Terminal()
        #expect(!Self.agenda(terminal).text.contains("\u{1B}"))
        terminal.hasColours = true
        #expect(Self.agenda(terminal).text.contains("\u{1B}[1mToday, Sat 21 November\u{1B}[0m"))
    }

    @Test(
        arguments: [
            (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
            (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": "dumb"], false), ([:], false),
        ] as [([String: String], Bool)])
    func `a terminal shows an agenda, with colours if wanted, and a pipe gets no colours`(
        variables: [String: String], isColoured: Bool
    ) async throws {
        let bus = try PrivateBus()
        let tocsin = "\(ProgramTests.products)/tocsin"
        let added = try await ProgramTests.run(
            "tocsin", ["in", "10m", "Tea"], environment: bus.environment)
        #expect(added.status == 0)
        var environment = bus.environment.filter { $0.key != "NO_COLOR" && $0.key != "TERM" }
        environment.merge(variables) { $1 }
        let script = try await RunningProgram.run(
            "script", ["-qec", "'\(tocsin)' list", "/dev/null"], environment: environment)
        #expect(script.contains("The next 24 hours"))
        #expect(script.contains("\u{1B}[1m") == isColoured)
        let piped = try await ProgramTests.run(
            "tocsin", ["list", "--agenda"], environment: environment)
        #expect(piped.output.contains("The next 24 hours"))
        #expect(!piped.output.contains("\u{1B}"))
    }

    // MARK: Reasons

    @Test func `show says why a notification is not shown and what to do`() {
        func reasons(
            _ pending: PendingNotification, isAvailable: Bool = true,
            _ permission: Permission? = nil, location: LocationStatus = .available
        ) -> String {
            var status = Self.status(isAvailable: isAvailable)
            status.location = location
            return Explanation(status: status, permission: permission, times: Self.times)
                .obstacles(to: pending).joined(separator: "|")
        }
        let waiting = Self.pending("a", .at(Self.minutes(5)), next: Self.minutes(5))
        let due = Self.pending("a", .at(Self.minutes(-5)), next: Self.minutes(-5))
        let region = NotificationRegion(
            identifier: "home", latitude: 1, longitude: 2, radius: 3, onExit: false)
        #expect(reasons(waiting).isEmpty)
        #expect(reasons(due, isAvailable: false).contains("waits for a notification server"))
        #expect(reasons(due).contains("on its way"))
        #expect(
            reasons(Self.pending("a", .at(Self.now), next: nil)).contains("never: the date is past")
        )
        let nearby = Self.pending("a", .region(region, repeats: true), next: nil)
        #expect(reasons(nearby).isEmpty)
        #expect(
            reasons(nearby, location: .noAgent).hasPrefix(
                "its place is not watched: GeoClue waits for an agent"))
        #expect(
            reasons(waiting, Permission(.denied, options: []))
                .hasSuffix("run: tocsin settings org.tocsin.Tocsin --allow"))
    }

    @Test func `show names what the server lacks`() {
        var content = NotificationContent(title: "t", body: "b")
        content.sound = NotificationSound(.standard)
        content.actions = [ActionOption.reply("")]
        func lacks(_ capabilities: [String]) -> [String] {
            Explanation(
                status: Self.status(isAvailable: true, capabilities), permission: nil,
                times: Self.times
            ).missing(for: content, content.category(over: nil)).map {
                String($0.prefix { $0 != ":" })
            }
        }
        #expect(
            lacks([]) == [
                "buttons", "a field for text", "a place for the text", "sound",
                "a list of past notifications",
            ])
        #expect(lacks(["actions", "inline-reply", "body", "sound", "persistence"]).isEmpty)
    }

    @Test func `show names the substitute for a sound that the server does not play`() {
        var content = NotificationContent(title: "T")
        content.sound = NotificationSound(.standard)
        let explanation = Explanation(
            status: Self.status(isAvailable: true, ["persistence"]), permission: nil,
            times: Self.times)
        #expect(explanation.missing(for: content, nil) == ["sound: tocsin-media plays it"])
    }

    @Test(
        arguments: [
            (.once, nil, nil), (.once, 600, "shown if at most 10 min late, otherwise skipped"),
            (.skip, nil, "skipped when more than 60 s late"),
            (.skip, 7_200, "skipped when more than 2 h late"),
        ] as [(CatchUp, Double?, String?)])
    func `show says what happens to missed dates`(catchUp: CatchUp, grace: Double?, text: String?) {
        var request = NotificationRequest(identifier: "a", content: .init(title: "t"))
        (request.catchUp, request.grace) = (catchUp, grace)
        let explanation = Explanation(
            status: Self.status(isAvailable: true), permission: nil, times: Self.times)
        #expect(explanation.lateness(request) == text)
    }

    // MARK: The programs

    /// Replaces the dates and the distances, which differ in each run, with words.
    private static func withoutDates(_ text: String) -> String {
        text.replacing(
            #/([A-Z][a-z]{2} )?\d{4}-\d\d-\d\d[T ][0-9:.]+(Z|[+-]\d\d:\d\d| \w+)?/#, with: "DATE"
        )
        .replacing(#/\b\d{16}\b/#, with: "DATE")
        .replacing(#/DATE \((now|\d+ s ago)\)/#, with: "DATE (DISTANCE)")
    }

    @Test func `a request due without a server is listed as missed with a reason`() async throws {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
        }
        #expect(try await tocsin("missed").errors.contains("Nothing was missed."))
        let added = try await tocsin(
            "at", "2001-01-01 8am", "--past-ok", "Tea", "--id", "tea", "--subtitle", "Green",
            "-A", "yes=Yes", "--on", "yes=true")
        #expect(added.status == 0, "\(added.errors)")
        let missed = try await tocsin("missed", "--json")
        #expect(
            Self.withoutDates(missed.output) == """
                {"id":"tea","app":"org.tocsin.Tocsin","title":"Tea","due":"DATE","shown":null,\
                "note":"waits for a notification server: none is on the bus","reason":"waiting"}
                """)
        let show = try await tocsin("show", "te")
        #expect(show.status == 0, "\(show.errors)")
        #expect(
            Self.withoutDates(show.output) == """
                Notification  tea
                App           org.tocsin.Tocsin
                Title         Tea
                Subtitle      Green
                State         waits
                When          now
                Next          DATE (DISTANCE)
                Buttons       Yes (yes)
                Runs          yes: true
                Not shown     due since DATE: waits for a notification server, as none is on the \
                bus; it is shown when one appears
                Lacks         no notification server is on the bus: the notification is kept until \
                a server appears
                """)
        let json = try await tocsin("show", "tea", "--json").output
        let directory = FileManager.default.currentDirectoryPath
        #expect(
            Self.withoutDates(json) == """
                {"id":"tea","app":"org.tocsin.Tocsin","title":"Tea","subtitle":"Green","body":"",\
                "state":"pending","nextFire":"DATE","repeats":false,"trigger":null,\
                "userInfo":{"org.tocsin.created":{"$date":"DATE"}},\
                "actions":[{"id":"yes","title":"Yes"}],"reportsDismissal":true,\
                "desktop":{"offersClick":false},\
                "next":["DATE"],"reasons":["due since DATE: waits for a notification server, as \
                none is on the bus; it is shown when one appears"],\
                "lacks":["no notification server is on the bus: the notification is kept until a \
                server appears"],\
                "commands":{"click":null,"actions":{"yes":["/bin/sh","-c","true"]},\
                "directory":"\(directory)"},"records":[]}
                """)
        let agenda = try await tocsin("list", "--agenda")
        #expect(agenda.output.contains("\nDue\n"))
        #expect(try await tocsin("show", "nothing").status == 1)
        #expect(try await tocsin("show", "tea", "-n", "0").status == 64)
    }
}
