import NotificationModel
import NotificationStore
import StoreSupport
import Testing

@testable import NotificationEngine

@Suite("Which response starts an app")
struct LaunchStateTests {
    private static let category = NotificationCategory(
        identifier: "c",
        actions: [
            NotificationAction(identifier: "open", title: "Open", options: .foreground),
            NotificationAction(identifier: "archive", title: "Archive", options: .destructive),
            NotificationAction(
                identifier: "answer", title: "Answer", options: .foreground,
                textInput: .init(buttonTitle: "Send", placeholder: "")),
            NotificationAction(
                identifier: "note", title: "Note",
                textInput: .init(buttonTitle: "Send", placeholder: "")),
        ])
    private static let command = LaunchCommand(executable: "/bin/app", arguments: ["a"])

    /// The state of a daemon that knows the app's category and launch command.
    private var state: EngineState {
        var state = EngineState(schedule: .sample, launchesApps: true)
        state.change(.tocsin) {
            $0.launchCommand = Self.command
            $0.categories = ["c": Self.category]
        }
        return state
    }

    private func response(
        _ id: Int64 = 1, _ action: NotificationResponse.Action = .standard,
        app: ApplicationID = .tocsin
    ) -> NotificationResponse {
        NotificationResponse(
            id: id,
            notification: DeliveredNotification(
                app: app, request: .sample("r\(id)", category: "c"),
                date: ClockReading.sample().wall),
            action: action)
    }

    private func request(
        _ response: NotificationResponse, _ mode: LaunchMode = .foreground
    ) -> LaunchRequest {
        LaunchRequest(response: response, mode: mode, command: Self.command)
    }

    @Test(
        arguments: [
            (.standard, .foreground), (.dismiss, nil), (.custom("open"), .foreground),
            (.custom("archive"), .background), (.reply("answer", text: "x"), .foreground),
            (.reply("note", text: "x"), .background), (.custom("gone"), .background),
        ] as [(NotificationResponse.Action, LaunchMode?)])
    func `the default and foreground actions show the app, and other actions do not`(
        action: NotificationResponse.Action, mode: LaunchMode?
    ) {
        var state = state
        let effects = state.responseRecorded(
            response(1, action), startingApp: true, now: .sample())
        #expect(effects == (mode.map { [.launch(request(response(1, action), $0))] } ?? []))
        #expect(LaunchMode(action, category: nil) != .foreground || action == .standard)
    }

    @Test func `a request's own button decides whether its app is shown`() {
        var state = state
        var own = response(1, .custom("archive"))
        own.notification.request.content.actions = [
            NotificationAction(identifier: "archive", title: "Archive", options: .foreground)
        ]
        #expect(
            state.responseRecorded(own, startingApp: true, now: .sample())
                == [.launch(request(own, .foreground))])
        // The notification has its own buttons, so the category's buttons do not apply.
        own.action = .custom("open")
        #expect(
            LaunchMode(own.action, category: state.category(of: own.notification)) == .background)
    }

    @Test
    func `an app is started only if no session of the app waits for this popup`() {
        var state = state
        let key = response().notification.key
        #expect(state.startsApp(of: key))
        let waiting = state.connect(.sample(), asksBeforePresenting: false, identifiers: ["other"])
        _ = state.responses.replay([], to: waiting)
        #expect(state.startsApp(of: key))
        let session = state.connect(.sample(), asksBeforePresenting: false)
        _ = state.responses.replay([], to: session)
        #expect(!state.startsApp(of: key))
        // The app connected while the engine stored the response, so the recorded launch ends.
        #expect(
            state.responseRecorded(response(), startingApp: true, now: .sample())
                == [.send(session, .response(response())), .endLaunches([1])])
        _ = state.disconnect(session, now: .sample())
        #expect(state.startsApp(of: key))
    }

    /// The process may be about to set its delegate, so no second process must start.
    @Test
    func `an app whose only process handles no responses is not started`() {
        var state = state
        let session = state.connect(
            .sample(), asksBeforePresenting: false, handlesResponses: false)
        _ = state.responses.replay([], to: session)
        #expect(
            state.responseRecorded(response(), startingApp: true, now: .sample())
                == [.endLaunches([1])])
        #expect(
            state.responses.setHandlesResponses(true, in: session)
                == [.send(session, .response(response()))])
    }

    @Test
    func `an engine that is embedded in the app starts no app`() {
        #expect(!EngineState(schedule: .sample).startsApp(of: response().notification.key))
    }

    @Test
    func `a second click waits for an app that is starting, until the start takes too long`() {
        var state = state
        var now = ClockReading.sample()
        #expect(
            state.responseRecorded(response(1), startingApp: true, now: now)
                == [.launch(request(response(1)))])
        #expect(
            state.launches.launchEnded(request(response(1)), isStarted: true) == [.endLaunches([1])]
        )
        now.boot += LaunchMachine.startLimit - 1
        #expect(
            state.responseRecorded(response(2), startingApp: true, now: now)
                == [.endLaunches([2])])
        now.boot += 1
        #expect(
            state.responseRecorded(response(3), startingApp: true, now: now)
                == [.launch(request(response(3)))])
    }

    @Test
    func `a click starts an app at once if the app has left or the last start failed`() throws {
        var state = state
        _ = state.responseRecorded(response(1), startingApp: true, now: .sample())
        let session = state.connect(.sample(), asksBeforePresenting: false)
        #expect(
            state.responses.replay([response(1)], to: session)
                == [.send(session, .response(response(1)))])
        #expect(state.appArrived(in: session, now: .sample()).isEmpty)
        _ = state.disconnect(session, now: .sample())
        #expect(
            state.responseRecorded(response(2), startingApp: true, now: .sample())
                == [.launch(request(response(2)))])
        #expect(
            state.launches.launchEnded(request(response(2)), isStarted: false) == [
                .endLaunches([2])
            ])
        #expect(
            state.responseRecorded(response(3), startingApp: true, now: .sample())
                == [.launch(request(response(3)))])
        // Other apps do not wait for this start.
        let other = try ApplicationID("org.other")
        #expect(
            state.responseRecorded(response(4, app: other), startingApp: true, now: .sample())
                == [.launch(LaunchRequest(response: response(4, app: other), mode: .foreground))])
    }

    @Test
    func `a response that the app did not acknowledge does not start the app again`() {
        var state = state
        let session = state.connect(.sample(), asksBeforePresenting: false)
        _ = state.responses.replay([response()], to: session)
        #expect(state.disconnect(session, now: .sample()).isEmpty)
    }

    @Test
    func `a stopping engine starts no app, and leaves the start to the next engine`() {
        var state = state
        _ = state.stop()
        #expect(state.responseRecorded(response(), startingApp: true, now: .sample()).isEmpty)
    }

    // MARK: Settings

    private func settings(_ id: Int64 = 1) -> LaunchRequest {
        LaunchRequest(
            settingsFor: response(id).notification, activationToken: "t", command: Self.command)
    }

    @Test
    func `the settings button starts an app that has quit, and reaches a running app`() {
        var state = state
        let opening = ServiceEvent.openSettings(response().notification)
        #expect(state.ask(settings()) == [.launch(settings())])
        #expect(state.launches.launchEnded(settings(), isStarted: true).isEmpty)
        let waiting = state.connect(.sample(), asksBeforePresenting: false, identifiers: ["r1"])
        #expect(state.appArrived(in: waiting, now: .sample()).isEmpty)
        let session = state.connect(.sample(), asksBeforePresenting: false)
        #expect(state.appArrived(in: session, now: .sample()) == [.send(session, opening)])
        #expect(state.appArrived(in: session, now: .sample()).isEmpty)
        #expect(state.ask(settings()) == [.send(session, opening)])
    }

    /// A helper process without a delegate could not open the settings.
    @Test
    func `the settings button skips a newer process that handles no responses`() {
        var state = state
        let opening = ServiceEvent.openSettings(response().notification)
        let session = state.connect(.sample(), asksBeforePresenting: false)
        let helper = state.connect(
            .sample(), asksBeforePresenting: false, handlesResponses: false)
        #expect(state.ask(settings()) == [.send(session, opening)])
        _ = state.disconnect(session, now: .sample())
        #expect(state.ask(settings()) == [.send(helper, opening)])
    }

    @Test
    func `a press of the settings button uses a running start, and is forgotten after that start`()
    {
        var state = state
        var now = ClockReading.sample()
        _ = state.responseRecorded(response(1), startingApp: true, now: now)
        #expect(state.ask(settings(2)).isEmpty)
        let early = state.connect(.sample(), asksBeforePresenting: false)
        #expect(
            state.appArrived(in: early, now: now)
                == [.send(early, .openSettings(response(2).notification))])
        _ = state.disconnect(early, now: now)
        // The user starts the app long after the press of the button.
        #expect(state.ask(settings()) == [.launch(settings())])
        now.boot += LaunchMachine.startLimit
        let late = state.connect(.sample(), asksBeforePresenting: false)
        #expect(state.appArrived(in: late, now: now).isEmpty)
        _ = state.disconnect(late, now: now)
        // The start fails.
        #expect(state.ask(settings(), now: now) == [.launch(settings())])
        #expect(state.launches.launchEnded(settings(), isStarted: false).isEmpty)
        let own = state.connect(.sample(), asksBeforePresenting: false)
        #expect(state.appArrived(in: own, now: now).isEmpty)
    }

    /// If time in suspend counted, the start would be over at the resume.
    ///
    /// A click would then start the app twice, and the app would open no settings.
    @Test
    func `a suspend does not shorten the time in which a started app may connect`() {
        var state = state
        var now = ClockReading.sample()
        #expect(state.ask(settings(), now: now) == [.launch(settings())])
        now.boot += 3_600_000_000
        now.suspended = 3_600_000_000
        #expect(
            state.responseRecorded(response(1), startingApp: true, now: now)
                == [.endLaunches([1])])
        let session = state.connect(.sample(), asksBeforePresenting: false)
        #expect(
            state.appArrived(in: session, now: now)
                == [.send(session, .openSettings(response().notification))])
    }

    // MARK: After a crash

    private func wanted(
        _ id: Int64 = 1, age: Int64 = 1_000_000, attempts: Int64 = 0, begun: Int64? = nil
    ) -> WantedLaunch {
        let now = ClockReading.sample().wall
        return WantedLaunch(
            response: response(id), mode: .foreground,
            wantedAt: now.adding(microseconds: -age), attempts: attempts,
            startedAt: begun.map { now.adding(microseconds: -$0) })
    }

    @Test
    func `after a crash a launch waits until the apps have had time to reconnect`() {
        var state = state
        var now = ClockReading.sample()
        let due = now.boot + LaunchMachine.returnLimit
        #expect(state.resume([wanted()], now: now) == [.arm(ClockAlarms(boot: due))])
        now.boot = due - 1
        #expect(state.launchesDue(now: now).isEmpty)
        now.boot = due
        #expect(state.launchesDue(now: now) == [.launch(request(response()))])
        #expect(state.launches.waiting.isEmpty)
    }

    @Test
    func `a suspend does not shorten the time in which apps may reconnect`() {
        var state = state
        var now = ClockReading.sample()
        let due = now.boot + LaunchMachine.returnLimit + 3_600_000_000
        _ = state.resume([wanted()], now: now)
        now.boot += 3_600_000_000
        now.suspended = 3_600_000_000
        #expect(state.launchesDue(now: now).isEmpty)
        #expect(state.alarms(now: now).boot == due)
        now.boot = due
        #expect(state.launchesDue(now: now) == [.launch(request(response()))])
    }

    @Test
    func `after a crash the engine first waits for an app whose launch had begun`() {
        var state = state
        var now = ClockReading.sample()
        _ = state.resume([wanted(attempts: 1, begun: 5_000_000)], now: now)
        #expect(state.launches.deadline == now.boot + LaunchMachine.startLimit - 5_000_000)
        let session = state.connect(.sample(), asksBeforePresenting: false)
        #expect(state.appArrived(in: session, now: now) == [.endLaunches([1])])
        now.boot += LaunchMachine.startLimit
        #expect(state.launchesDue(now: now).isEmpty)
    }

    @Test
    func `a session that waits for one answer does not end the launch of the app`() {
        var state = state
        _ = state.resume([wanted()], now: .sample())
        let session = state.connect(.sample(), asksBeforePresenting: false, identifiers: ["other"])
        #expect(state.appArrived(in: session, now: .sample()).isEmpty)
        #expect(state.launches.waiting.count == 1)
    }

    @Test
    func `two clicks from before a crash start the app once`() {
        var state = state
        var now = ClockReading.sample()
        _ = state.resume([wanted(1), wanted(2)], now: now)
        now.boot += LaunchMachine.returnLimit
        #expect(state.launchesDue(now: now) == [.launch(request(response(1))), .endLaunches([2])])
    }

    @Test
    func `an app is started at most three times for one response, and an old click starts no app`()
    {
        var state = state
        let now = ClockReading.sample()
        let left = [
            wanted(1, attempts: 3, begun: 1), wanted(2, age: LaunchMachine.age + 1),
            wanted(3, age: -1), wanted(4, attempts: 2, begun: 1),
        ]
        #expect(state.resume(left, now: now).first == .endLaunches([1, 2, 3]))
        #expect(state.launches.waiting.map(\.request.response?.id) == [4])
        // A change of the wall clock extends no wait beyond the limit.
        var other = self.state
        _ = other.resume([wanted(attempts: 1, begun: -1_000_000_000)], now: now)
        #expect(other.launches.deadline == now.boot + LaunchMachine.startLimit)
    }

    // MARK: Kept commands

    @Test(arguments: [
        (LaunchCommand(executable: "/bin/app"), true),
        (LaunchCommand(executable: ""), false),
        (LaunchCommand(executable: "app"), false),
        (LaunchCommand(executable: "/bin/app", directory: "here"), false),
        (LaunchCommand(executable: "/bin/a\0b"), false),
        (LaunchCommand(executable: "/bin/app", arguments: ["a\0"]), false),
        (LaunchCommand(executable: "/a", arguments: .init(repeating: "", count: 256)), true),
        (LaunchCommand(executable: "/a", arguments: .init(repeating: "", count: 257)), false),
        (
            LaunchCommand(
                executable: "/a", arguments: [String(repeating: "x", count: 32_765)]), true
        ),
        (
            LaunchCommand(
                executable: "/a", arguments: [String(repeating: "x", count: 32_766)]), false
        ),
    ])
    func `a launch command needs absolute paths, no NUL and a bounded size`(
        command: LaunchCommand?, isUsable: Bool
    ) {
        #expect((command != nil) == isUsable)
    }

    @Test
    func `an app that names its executable has a launch command`() {
        var identity = ApplicationIdentity.sample()
        #expect(LaunchCommand(identity) == nil)
        identity.executable = "/bin/app"
        identity.arguments = ["x"]
        identity.startsInBackground = true
        #expect(
            LaunchCommand(identity)
                == LaunchCommand(executable: "/bin/app", arguments: ["x"], isBackground: true))
    }
}

extension EngineState {
    /// Presses the settings button of the request's notification.
    fileprivate mutating func ask(
        _ request: LaunchRequest, now: ClockReading = .sample()
    ) -> [EngineEffect] {
        openSettings(
            for: request.notification, activationToken: request.activationToken, now: now)
    }
}
