import DesktopBus
import NotificationModel
import Testing

@testable import DesktopIntegration

/// The means by which the service starts an app.
@Suite struct LaunchPlanTests {
    private static func request(
        _ mode: LaunchMode, _ command: LaunchCommand? = nil,
        _ action: NotificationResponse.Action = .standard
    ) throws -> LaunchRequest {
        try .sample(mode, command, action)
    }

    private static func entry(_ change: (inout LaunchEntry) -> Void = { _ in }) -> LaunchEntry {
        var entry = LaunchEntry(id: "org.example.App")
        entry.exec = "app %U"
        change(&entry)
        return entry
    }

    @Test func `without a desktop file, the connected program is started with the id of the app`()
        throws
    {
        let command = LaunchCommand(executable: "/opt/app", directory: "/tmp")
        #expect(
            LaunchPlan(try Self.request(.foreground, command), entry: nil)
                == .program(["/opt/app"], directory: "/tmp", isNamed: true))
        #expect(LaunchPlan(try Self.request(.background, command), entry: nil) == nil)
        #expect(LaunchPlan(try Self.request(.foreground), entry: nil) == nil)
    }

    @Test(arguments: LaunchMode.allCases)
    func `a program with arguments is started again only if it starts in the background`(
        mode: LaunchMode
    ) throws {
        let deploy = LaunchCommand(executable: "/opt/app", arguments: ["deploy", "prod"])
        #expect(LaunchPlan(try Self.request(mode, deploy), entry: nil) == nil)
        let empty = LaunchCommand(executable: "/opt/app", arguments: [""])
        #expect(LaunchPlan(try Self.request(mode, empty), entry: nil) == nil)
        let respond = LaunchCommand(
            executable: "/opt/app", arguments: ["respond"], isBackground: true)
        #expect(
            LaunchPlan(try Self.request(mode, respond), entry: nil)
                == .program(["/opt/app", "respond"], directory: "/", isNamed: true))
    }

    @Test func `a program without a window is started for background actions`() throws {
        let command = LaunchCommand(executable: "/opt/app", isBackground: true)
        #expect(
            LaunchPlan(try Self.request(.background, command), entry: nil)
                == .program(["/opt/app"], directory: "/", isNamed: true))
        // The desktop file may be of an earlier version, without `X-Tocsin-BackgroundExec`.
        #expect(
            LaunchPlan(try Self.request(.background, command), entry: Self.entry())
                == .program(["/opt/app"], directory: "/", isNamed: false))
    }

    @Test func `a desktop file is preferred to the command that the app gives`() throws {
        let command = LaunchCommand(executable: "/opt/app")
        #expect(LaunchPlan(try Self.request(.foreground, command), entry: Self.entry()) == .exec)
        #expect(LaunchPlan(try Self.request(.background, command), entry: Self.entry()) == nil)
        let nothing = Self.entry { $0.exec = nil }
        #expect(LaunchPlan(try Self.request(.foreground, command), entry: nothing) == nil)
    }

    @Test(arguments: LaunchMode.allCases)
    func `a D-Bus activatable app is called in every launch mode`(mode: LaunchMode) throws {
        let entry = Self.entry { $0.isActivatable = true }
        #expect(LaunchPlan(try Self.request(mode), entry: entry) == .activate)
    }

    @Test func `the program for background actions is started only for background actions`() throws
    {
        let entry = Self.entry {
            $0.backgroundExec = "/usr/bin/app --work \"a b\""
            $0.isActivatable = true
            $0.directory = "/srv"
        }
        #expect(
            LaunchPlan(try Self.request(.background), entry: entry)
                == .program(
                    ["/usr/bin/app", "--work", "a b"], directory: "/srv", isNamed: false))
        #expect(LaunchPlan(try Self.request(.foreground), entry: entry) == .activate)
        let relative = Self.entry { $0.backgroundExec = "app --work" }
        #expect(LaunchPlan(try Self.request(.background), entry: relative) == nil)
    }

    @Test(
        arguments: [
            ("app", ["app"]), ("app %U", ["app"]), ("app --new %f", ["app", "--new"]),
            ("app %i", ["app", "--icon", "face"]), ("app -c %c", ["app", "-c", "An App"]),
            ("app %k", ["app", "/usr/share/applications/x.desktop"]),
            ("app 100%%", ["app", "100%"]),
            ("app --url=%u", ["app", "--url="]), ("app %c.%%c", ["app", "An App.%c"]),
            (#"app "a b" 'c d' e\ f"#, ["app", "a b", "c d", "e f"]),
            (#"app "\$HOME \`x\` \\ \"" "$HOME""#, ["app", "$HOME `x` \\ \"", "$HOME"]),
            (#"app "" end"#, ["app", "", "end"]), ("app; rm x", ["app;", "rm", "x"]),
            (#"app "open"#, nil), ("", nil), ("   ", nil), ("%U", nil), (#""""#, nil),
        ] as [(String, [String]?)])
    func `the key Exec is read without a shell`(line: String, arguments: [String]?) {
        let entry = Self.entry {
            $0.exec = line
            $0.icon = "face"
            $0.name = "An App"
            $0.file = "/usr/share/applications/x.desktop"
        }
        #expect(ExecKey.arguments(of: entry) == arguments)
    }

    @Test func `the field code of a missing icon adds no argument, and without Exec there is none`()
    {
        #expect(ExecKey.arguments(of: Self.entry { $0.exec = "app %i" }) == ["app"])
        #expect(ExecKey.arguments(of: Self.entry { $0.exec = nil }) == nil)
    }

    // MARK: The call

    @Test func `the call names the action and the notification and carries the token`() throws {
        let command: LaunchCommand? = nil
        let call = try #require(
            ApplicationCall.call(
                for: try Self.request(.foreground, command, .custom("open")), token: "t"))
        #expect(call.destination == "org.example.My-App")
        #expect(call.path == "/org/example/My_App")
        #expect(call.member == "ActivateAction")
        #expect(call.arguments[0].stringValue == "open")
        #expect(call.arguments[1].arrayValue?.first?.unwrapped.stringValue == "tea")
        let platform = try #require(call.arguments[2].vardictValue)
        #expect(platform["activation-token"]?.stringValue == "t")
        #expect(platform["desktop-startup-id"]?.stringValue == "t")
        let plain = try #require(
            ApplicationCall.call(for: try Self.request(.foreground), token: nil))
        #expect(plain.member == "Activate")
        #expect(plain.arguments == [.vardict([])])
        let settings = LaunchRequest(
            settingsFor: try Self.request(.foreground).notification, activationToken: "t")
        let request = try #require(
            ApplicationCall.call(for: settings, token: settings.activationToken))
        #expect(request.member == "Activate" && request.arguments.count == 1)
        #expect(request.arguments[0].vardictValue?["activation-token"]?.stringValue == "t")
    }
}

extension LaunchRequest {
    /// A request for `org.example.My-App`.
    static func sample(
        _ mode: LaunchMode, _ command: LaunchCommand? = nil,
        _ action: NotificationResponse.Action = .standard, app: String = "org.example.My-App",
        token: String? = nil
    ) throws -> LaunchRequest {
        LaunchRequest(
            response: NotificationResponse(
                id: 1,
                notification: DeliveredNotification(
                    app: try ApplicationID(app),
                    request: NotificationRequest(
                        identifier: "tea", content: NotificationContent(title: "Tea")),
                    date: Instant(microseconds: 1)),
                action: action, activationToken: token),
            mode: mode, command: command)
    }
}
