import CenterInterface
import NotificationModel
import NotificationSchedule
import ScriptedService
import TestSupport
import Testing

@testable import tocsin

/// The output of `doctor`, and its exit status.
@Suite(.timeLimit(.minutes(5))) struct DoctorTests {
    private static let now = Instant(microseconds: 1_795_258_800_000_000)

    private static func report(
        isAvailable: Bool = true, _ change: (inout DoctorReport) -> Void = { _ in }
    ) -> DoctorReport {
        let presenter = PresenterStatus(
            isAvailable: isAvailable, name: "dunst", vendor: "knopwob", version: "1.9",
            specification: "1.2", capabilities: ["actions", "body", "body-markup", "persistence"])
        var report = DoctorReport(
            bus: "unix:path=/b",
            status: ServiceStatus(
                version: Version.current, hosting: "daemon", store: "/s", pendingCount: 2,
                deliveredCount: 1, responseCount: 0,
                nextFire: now.adding(microseconds: 60_000_000), presenter: presenter),
            now: now, zone: .fixed(3_600, abbreviation: "CET"))
        report.store = StoreFacts(size: 12_345, mode: 0o600)
        (report.zoneName, report.zoneSource) = ("Europe/Berlin", "the system's files")
        change(&report)
        return report
    }

    @Test func `each line of doctor has its mark and its remedy`() {
        let text = Self.report { $0.missingPrograms = ["zenity", "kdialog", "xdg-open"] }
            .text(Terminal())
        #expect(
            text == """
                ✓ Bus                   unix:path=/b
                ✓ Daemon                tocsind \(Version.current), daemon
                ✓ Store                 /s, 13 kB, readable
                ✓ Schedule              2 pending, 1 delivered, 0 answers wait for their app; \
                next Sat 2026-11-21 12:01:00 CET (in 1 min)
                ✓ Clock                 Sat 2026-11-21 12:00:00 CET, Europe/Berlin by the system's files
                ✓ Server                dunst 1.9 by knopwob, specification 1.2
                ✓ Capabilities          actions body body-markup persistence
                ! Without inline-reply  an action that takes text asks with a dialog of zenity or kdialog
                                        → Install zenity or kdialog.
                ! Without sound         tocsin-media plays the sounds
                ✓ Quirk                 shows the label 'Open' for a click on the popup
                ✓ Quirk                 lists the click on the popup as one more action \
                (a button or a menu entry), if that click does something
                ✓ Quirk                 signals a response only to the sender: \
                Tocsin posts popups of an earlier run again
                ✓ Lock                  no service reports it: the session counts as unlocked
                ! xdg-open              is not installed: a click cannot open a log or the target of '--open'
                                        → Install xdg-utils.

                """)
    }

    @Test func `doctor reports the push distributor and its registrations`() {
        func check(_ change: (inout PushStatus) -> Void) -> DoctorCheck? {
            var push = PushStatus()
            push.isSupported = true
            push.available = ["kde"]
            change(&push)
            return Self.report { $0.status.push = push }.checks.first { $0.name == "Push" }
        }
        #expect(check { $0.isSupported = false } == nil)
        #expect(
            check { $0.available = [] } == nil, "no app is registered, so none needs a distributor")
        #expect(check { _ in }?.text == "no app is registered; found: kde")
        let good = check { push in
            (push.distributor, push.appCount, push.endpointCount) = ("kde", 2, 2)
        }
        #expect(good?.mark == .good)
        #expect(good?.text == "kde, 2 of 2 registered apps have an endpoint")
        let missing = check { push in
            (push.appCount, push.problem) = (1, "No distributor runs. Install one.")
        }
        #expect(missing?.mark == .warning && missing?.text == "No distributor runs. Install one.")
        let unreadable = check { push in
            (push.distributor, push.appCount, push.endpointCount) = ("kde", 1, 1)
            push.unreadableCount = 3
        }
        #expect(unreadable?.mark == .warning)
        #expect(unreadable?.text.hasSuffix("; 3 messages could not be read") == true)
    }

    @Test func `doctor names what the portal cannot do`() throws {
        let report = Self.report {
            $0.status.presenter = PresenterStatus(
                isAvailable: true, name: "xdg-desktop-portal", vendor: "freedesktop.org",
                version: "1", specification: "org.freedesktop.portal.Notification",
                capabilities: ["actions", "body", "icon-static"])
            $0.status.presenter.isPortal = true
        }
        let lines = report.text(Terminal()).split(separator: "\n").dropFirst(5).map(String.init)
        #expect(
            lines == [
                "✓ Server                the portal org.freedesktop.portal.Notification, version 1, "
                    + "by xdg-desktop-portal",
                "✓ Capabilities          actions body icon-static",
                "! Without body-markup   the subtitle is not bold",
                "! Without inline-reply  an action that takes text asks with a dialog of zenity or "
                    + "kdialog",
                "! Without sound         tocsin-media plays the sounds",
                "! Dismissals            the portal reports none, so an app gets none",
                "! Expiry                the desktop decides how long a popup stays, and does not "
                    + "report its end",
                "! Ended apps            if an app has ended, a click starts it by D-Bus, or "
                    + "raises it if it runs again; the app does not learn which notification "
                    + "was clicked",
                "                        → Keep the app running in the background, or let it reach "
                    + "tocsind.",
                "✓ Lock                  no service reports it: the session counts as unlocked",
            ])
        #expect(report.exitStatus == .done)
        #expect(
            try Self.isExplained("Server", "xdg-desktop-portal") {
                $0.status.presenter = PresenterStatus(isAvailable: false)
                $0.status.presenter.isPortal = true
            })
    }

    @Test func `Do Not Disturb is reported if it is known`() {
        for (isOn, json) in [(true, "true"), (false, "false"), (nil, "null")] as [(Bool?, String)] {
            let report = Self.report { $0.status.presenter.isInhibited = isOn }
            #expect(report.object.text.contains("\"doNotDisturb\":\(json)"))
            let check = report.checks.first { $0.name == "Do Not Disturb" }
            #expect(check?.mark == isOn.map { $0 ? .warning : .good })
        }
    }

    @Test(
        arguments: [
            (.available, .good, nil, "GeoClue reports it"),
            (.missing, .warning, "geoclue-2.0", "there is no location service"),
            (.noAgent, .warning, "geoclue-demo-agent", "GeoClue waits for an agent"),
            (.denied, .warning, "geoclue.conf", "GeoClue refuses"),
            (.off, .warning, "settings", "is turned off"),
        ] as [(LocationStatus, DoctorCheck.Mark, String?, String)])
    func `doctor tells whether the location is known`(
        status: LocationStatus, mark: DoctorCheck.Mark, remedy: String?, text: String
    ) throws {
        let report = Self.report { $0.status.location = status }
        let check = try #require(report.checks.first { $0.name == "Location" })
        #expect(check.mark == mark && check.text.contains(text))
        #expect(check.remedy?.contains(remedy ?? "?") == (remedy == nil ? nil : true))
        #expect(report.exitStatus == .done)
        #expect(report.object.text.contains("\"location\":\"\(status.rawValue)\""))
    }

    @Test func `doctor names the source of the lock state`() {
        let report = Self.report {
            $0.status.lock = LockStatus(isLocked: true, sources: ["org.a", "org.b"])
        }
        #expect(report.text(Terminal()).contains("the session is locked, by org.a and org.b\n"))
        #expect(
            report.object.text.contains(#""lock":{"locked":true,"sources":["org.a","org.b"]}"#))
    }

    @Test func `the exit status of doctor is that of the worst finding`() throws {
        #expect(Self.report().exitStatus == .done)
        #expect(Self.report(isAvailable: false).exitStatus == .noServer)
        #expect(Self.report { $0.store.mode = 0o644 }.exitStatus == .failure)
        #expect(Self.report(isAvailable: false) { $0.store.mode = 0o644 }.exitStatus == .failure)
        #expect(Self.report { $0.store.mode = nil }.exitStatus == .failure)
        #expect(Self.report { $0.store.isReadable = false }.exitStatus == .failure)
        #expect(Self.report { $0.status.isStoreFull = true }.exitStatus == .failure)
        #expect(Self.report { $0.now = Instant(microseconds: 0) }.exitStatus == .failure)
        #expect(Self.report { $0.status.version = "0.0.1" }.exitStatus == .done)
    }

    private static func isExplained(
        _ name: String, _ remedy: String, _ change: (inout DoctorReport) -> Void
    ) throws -> Bool {
        let check = try #require(Self.report(change).checks.first { $0.name == name })
        let mark = check.mark == .bad ? "error" : "warning"
        return check.mark != .good && check.remedy?.contains(remedy) == true
            && check.object.text.hasPrefix(#"{"mark":"\#(mark)","name":"\#(name)""#)
    }

    private static func report(_ change: (inout DoctorReport) -> Void) -> DoctorReport {
        report(isAvailable: true, change)
    }

    @Test func `doctor names a remedy for each failure`() throws {
        #expect(
            try Self.isExplained("Daemon", "systemctl --user restart tocsind") {
                $0.status.version = "0.0.1"
            })
        #expect(try Self.isExplained("Store", "tocsin export") { $0.store.isReadable = false })
        #expect(try Self.isExplained("Store", "chmod 600 /s") { $0.store.mode = 0o604 })
        #expect(try Self.isExplained("Store", "Free some space") { $0.status.isStoreFull = true })
        #expect(
            try Self.isExplained("Store", "tocsin missed") { $0.store.damagedCount = 2 })
        #expect(
            try Self.isExplained("Do Not Disturb", "Turn it off") {
                $0.status.presenter.isInhibited = true
            })
        #expect(
            try Self.isExplained("gsettings", "libglib2.0-bin") {
                $0.status.presenter.name = "gnome-shell"
                $0.missingPrograms = ["gsettings"]
            })
        #expect(
            try Self.isExplained("Clock", "timedatectl") { $0.now = Instant(microseconds: 0) })
        #expect(
            try Self.isExplained("Server", "dunst") { $0.status.presenter.isAvailable = false })
        #expect(
            try Self.isExplained("Server", "Restart") {
                $0.status.presenter = PresenterStatus(isAvailable: true)
            })
        #expect(
            try Self.isExplained("Schedule", "tocsin missed") {
                $0.status.presenter.isAvailable = false
                $0.status.nextFire = Self.now
            })
        #expect(
            try Self.isExplained("Without sound", "Install Tocsin again") {
                $0.missingPrograms = ["tocsin-media"]
            })
        #expect(
            try Self.isExplained("Inbox", "/i/one.unusable") {
                $0.unusable = ["/i/one.unusable", "/i/two.unusable"]
            })
        #expect(
            try Self.isExplained("Denied", "--allow") {
                $0.permissions = [
                    ApplicationPermission(
                        app: .tocsin, permission: Permission(.denied, options: []))
                ]
            })
    }

    /// Users copy the commands into a shell.
    @Test func `doctor quotes a path and an id in its commands for the shell`() throws {
        #expect(
            try Self.isExplained("Store", "Run: chmod 600 '/a b/s'") {
                $0.status.store = "/a b/s"
                $0.store.mode = 0o604
            })
        let app = try ApplicationID("dev.a; b")
        #expect(
            try Self.isExplained("Denied", "run: tocsin settings 'dev.a; b' --allow") {
                $0.permissions = [
                    ApplicationPermission(app: app, permission: Permission(.denied, options: []))
                ]
            })
    }

    /// An app chooses its id, and the tool would read `-x` as an option.
    @Test func `the command that allows an app accepts an id with a leading dash`() throws {
        let app = try ApplicationID("-x")
        #expect(
            try Self.isExplained("Denied", "run: \(app.allowingCommand)") {
                $0.permissions = [
                    ApplicationPermission(app: app, permission: Permission(.denied, options: []))
                ]
            })
        let words = app.allowingCommand.split(separator: " ").dropFirst().map(String.init)
        guard case .command(let command) = try Invocation.parse(words) else {
            Issue.record("\(words) is no command")
            return
        }
        let settings = try #require(command as? SettingsCommand)
        #expect(settings.appID == "-x" && settings.decision == .allow)
    }

    @Test func `doctor makes the other checks if the daemon refuses to answer`() {
        let report = Self.report {
            $0.refusal = ToolError(.notAllowed, "Status was refused.")
            $0.status.presenter.isInhibited = nil
        }
        let names = report.checks.map(\.name)
        #expect(names.starts(with: ["Bus", "Daemon", "Clock", "Server", "Capabilities"]))
        #expect(report.checks[1].mark == .bad)
        #expect(report.exitStatus == .notAllowed)
        #expect(
            report.object.text.contains(
                #""version":null,"hosting":null,"store":null,"pending":null,"delivered":null,"#))
        #expect(report.object.text.contains(#""lock":null,"#))
    }

    @Test func `the marks are coloured if the terminal has colours`() {
        var terminal = Terminal()
        terminal.hasColours = true
        #expect(Self.report().text(terminal).hasPrefix("\u{1B}[32m✓\u{1B}[0m Bus"))
    }

    @Test func `doctor reports that a running daemon has no fault`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let doctor = try await ProgramTests.run("tocsin", ["doctor"], environment: bus.environment)
        #expect(doctor.status == 0, "\(doctor.output)")
        for part in ["✓ Daemon", "✓ Store", "readable", "✓ Server", "Scripted 1 by Tests"] {
            #expect(doctor.output.contains(part), "\(doctor.output)")
        }
        let json = try await ProgramTests.run(
            "tocsin", ["doctor", "--json"], environment: bus.environment)
        #expect(json.output.hasPrefix(#"{"bus":"unix:path="#))
        #expect(json.output.contains(#""checks":[{"mark":"ok","name":"Bus""#))
        await server.stop()
    }

    @Test func `doctor makes the daemon read its requests, and reports damaged requests`()
        async throws
    {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
        }
        for title in ["One", "Two"] {
            #expect(try await tocsin("in", "1h", title, "--id", title).status == 0)
        }
        let whole = try await tocsin("doctor", "--json")
        #expect(whole.output.contains(#"{"mark":"ok","name":"Store""#), "\(whole.output)")
        let store = try #require(whole.output.firstMatch(of: /"store":"([^"]+)"/)).output.1
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            store.execute("UPDATE request SET checksum = 1 WHERE identifier = 'One'")
            store.commit()
            """
        try await RunningProgram.run("python3", ["-c", script, String(store)])
        let damaged = try await tocsin("doctor")
        #expect(damaged.output.contains("damaged and removed: 1"), "\(damaged.output)")
        #expect(try await tocsin("missed").output.contains("damaged"))
        #expect(try await tocsin("list", "--json").output.contains(#""id":"Two""#))
    }

    @Test func `a store counts as damaged only if the centre cannot read it`() async throws {
        let service = ScriptedService()
        func fail(with code: NotificationError.Code) async {
            await service.fail(Members.records, with: NotificationError(code, "No records."))
        }
        await fail(with: .storeUnavailable)
        #expect(try await !StoreFacts(of: "/nonexistent", from: service).isReadable)
        await fail(with: .outdatedDaemon)
        #expect(try await StoreFacts(of: "/nonexistent", from: service).isReadable)
        await fail(with: .noDaemon)
        await #expect(throws: NotificationError(.noDaemon, "No records.")) {
            _ = try await StoreFacts(of: "/nonexistent", from: service)
        }
    }

    /// If only the user's shell sets `XDG_STATE_HOME`, the daemon does not know it.
    @Test func `doctor says that clicks run no commands if the daemon has another state directory`()
        async throws
    {
        let bus = try PrivateBus()
        let stray = "\(bus.directory)/stray"
        func tocsin(_ arguments: String..., state: [String: String]) async throws -> String {
            try await ProgramTests.run(
                "tocsin", arguments, environment: bus.environment.merging(state) { $1 }
            ).output
        }
        // The daemon stays, because it has a request.
        _ = try await tocsin("in", "1h", "Tea", state: [:])
        #expect(try await !tocsin("doctor", state: [:]).contains("clicks run no commands"))
        let output = try await tocsin("doctor", state: ["XDG_STATE_HOME": stray])
        #expect(output.contains("this tool stores them in \(stray)/tocsin"), "\(output)")
        #expect(output.contains("→ Set XDG_STATE_HOME for the whole session"), "\(output)")
    }

    @Test func `doctor quotes everything that an unknown server says about itself`() async throws {
        var script = ServerScript()
        script.information = ["Strange", "Nobody \"at all\"", "0.1-git", "1.3"]
        script.capabilities = ["x-strange-thing", "body", "actions"]
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus, script: script)
        let answer = try await ProgramTests.run(
            "tocsin", ["doctor", "--json"], environment: bus.environment)
        #expect(
            answer.output.contains(
                #""server":{"name":"Strange","vendor":"Nobody \"at all\"","version":"0.1-git","#
                    + #""specification":"1.3","capabilities":["actions","body","x-strange-thing"],"#
                    + #""doNotDisturb":null}"#), "\(answer.output)")
        #expect(
            answer.output.contains(
                #""substituted":["body-markup","persistence","inline-reply","sound"]"#))
        await server.stop()
    }
}
