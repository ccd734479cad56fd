import DesktopBus
import Freedesktop
import Glibc
import NotificationModel
import TestSupport
import Testing

/// Servers that start late, leave, die and return.
@Suite(.timeLimit(.minutes(2)))
struct ServerLifeTests {
    @Test func `without a server a post ends as unavailable`() async throws {
        let stage = try await Stage.raised(on: try PrivateBus())
        #expect(stage.reports.all == [.unavailable])
        try await stage.present("one")
        #expect(try await stage.outcome(of: 1) == .unavailable)
        #expect(await stage.presenter.status() == PresenterStatus(isAvailable: false))
    }

    /// A request for permission asks for this status, and a timeout would delay its answer.
    @Test func `a server that has left is reported as missing without a timeout`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        // This timeout is longer than the suite may take, so only the bus's report ends the wait.
        var timeouts = ServerTimeouts()
        timeouts.serverStart = .seconds(3_600)
        let stage = try await Stage.raised(on: bus, timeouts: timeouts)
        await server.stop()
        try await stage.wait(for: .unavailable)
        #expect(await stage.presenter.status() == PresenterStatus(isAvailable: false))
    }

    @Test func `a server that appears is reported and gets posts`() async throws {
        let bus = try PrivateBus()
        let stage = try await Stage.raised(on: bus)
        let server = try await ScriptedServer.start(on: bus)
        try await stage.wait(for: .available)
        try await stage.present("one")
        try await stage.shown(1)
        #expect(server.calls.all.count == 1)
        let status = await stage.presenter.status()
        #expect(status.name == "Scripted")
        #expect(status.isAvailable)
    }

    /// Without another attempt, the server would count as missing until the bus is lost.
    @Test func `a server whose signals the bus refuses at first gets posts later`() async throws {
        let count = 64
        let bus = try PrivateBus(limits: ["max_match_rules_per_connection": count])
        let server = try await ScriptedServer.start(on: bus)
        var timeouts = ServerTimeouts()
        timeouts.start = .milliseconds(1)
        let stage = try await Stage(on: bus, timeouts: timeouts)
        // The stage itself has one rule.
        var others: [BusSubscription] = []
        for number in 1..<count {
            let rule = MatchRule(member: try MemberName("M\(number)"))
            others.append(try await stage.connection.subscribe(rule) { _ in })
        }
        await stage.raise()
        #expect(stage.reports.all == [.unavailable])
        for other in others { other.cancel() }
        try await stage.wait(for: .available)
        try await stage.present("one")
        try await stage.shown(1)
        #expect(server.calls.all.count == 1)
    }

    /// GNOME's relay owns the name of the server before it exports its object.
    ///
    /// If the presenter did not repeat its calls, new popups would have no buttons for a while.
    @Test func `a server that owns its name before its methods exist is asked again`() async throws
    {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.unexportedCalls = 5
        let server = try await ScriptedServer.start(on: bus, script: script)
        // On a busy machine, the presenter's sixth call comes late.
        var timeouts = ServerTimeouts()
        timeouts.introduction = .seconds(90)
        let stage = try await Stage.raised(on: bus, timeouts: timeouts)
        try await stage.present("one")
        try await stage.shown(1)
        #expect(server.calls.all.first?.actions.isEmpty == false)
        #expect(await stage.presenter.status().name == "Scripted")
    }

    /// Until a server identifies itself, the presenter assumes that it has no capabilities.
    @Test
    func `a server that identifies itself late is announced once more, with its capabilities`()
        async throws
    {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.capabilities.append("persistence")
        // Both calls of the first identification fail.
        script.unexportedCalls = 2
        script.unexportedError = "org.freedesktop.DBus.Error.Failed"
        let server = try await ScriptedServer.start(on: bus, script: script)
        var timeouts = ServerTimeouts()
        timeouts.knowledge = .zero
        let stage = try await Stage.raised(on: bus, timeouts: timeouts)
        #expect(try await stage.meetings.first(1) == [false])
        try await stage.present("one")
        #expect(try await stage.meetings.first(2) == [false, true])
        try await stage.shown(1)
        try await stage.present("two", from: 2)
        try await stage.shown(2)
        #expect(stage.meetings.all == [false, true])
        #expect(server.calls.all.map(\.summary) == ["one", "two"])
    }

    @Test func `the popup ids of a server that has gone are not used again`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one")
        #expect(try await stage.shown(1) == 1)
        try await server.restart()
        try await stage.wait(for: .available, times: 2)
        try await stage.present("two", from: 2)
        #expect(try await stage.shown(2) == 1, "the new server counts from 1 as well")
        try await stage.withdraw("one")
        try await stage.present("one", from: 3)
        try await stage.shown(3)
        try await server.click(1, "default")
        try await stage.wait(for: .response("two", .standard, token: nil))
        #expect(server.closings.all.isEmpty)
        #expect(server.calls.all.map(\.replacesID) == [0, 0, 0])
        #expect(stage.popupReports == [.response("two", .standard, token: nil)])
        let order = stage.reports.all.filter { $0 == .available || $0 == .unavailable }
        #expect(order == [.available, .unavailable, .available])
    }

    @Test func `a post whose server dies before the answer ends as interrupted`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        await server.change { $0.replies = .never }
        try await stage.present("one", "one")
        try await server.calls.first(1)
        await server.stop()
        #expect(try await stage.outcome(of: 1) == .interrupted)
        #expect(
            try await stage.outcome(of: 2) == .unavailable,
            "the second post waited for the first, so it was never sent")
        #expect(
            stage.reports.all == [
                .available, .unavailable, .outcome(2, .unavailable), .outcome(1, .interrupted),
            ])
    }

    @Test func `a post that ends the server three times is refused, and later posts are shown`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        for life in 1...3 {
            await server.change { $0.replies = .never }
            try await stage.present("poison", from: UInt64(life))
            try await server.calls.first(life)
            await server.stop()
            let outcome = try await stage.outcome(of: UInt64(life))
            if life < 3 {
                #expect(outcome == .interrupted)
            } else {
                #expect(
                    outcome
                        == .refused(
                            "The notification server ended 3 times before it confirmed this "
                                + "notification."))
            }
            await server.change { $0.replies = .atOnce }
            try await server.start()
            try await stage.wait(for: .available, times: life + 1)
        }
        try await stage.present("fine", from: 4)
        try await stage.shown(4)
    }

    @Test func `after a server's death the posts of an app are sent one by one`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        await server.change { $0.replies = .never }
        try await stage.present("a", "b")
        try await server.calls.first(2)
        await server.stop()
        try await server.start()
        try await stage.wait(for: .available, times: 2)
        try await stage.present("c", "d", from: 3)
        try await server.calls.first(3)
        // A queue that sends several posts of one app at a time would send "d" before this post.
        stage.posts.add([
            try Samples.presentation("e", app: "org.example.Other", token: 5)
        ])
        let calls = try await server.calls.first(4)
        #expect(calls.map(\.summary) == ["a", "b", "c", "e"])
    }

    @Test func `posts are shown again after the bus has stopped and returned`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(
            on: bus,
            // Use short pauses between attempts, which grow until the bus has started.
            options: .init {
                $0.reconnect = Backoff(first: .milliseconds(10), longest: .milliseconds(100))
            })
        await server.change { $0.replies = .never }
        try await stage.present("one", "one", "two")
        try await server.calls.first(1)
        bus.stop()
        #expect(try await stage.outcome(of: 1) == .interrupted)
        #expect(try await stage.outcome(of: 2) == .unavailable)
        try await stage.present("three", from: 4)
        #expect(try await stage.outcome(of: 4) == .unavailable)
        await server.stop()
        try bus.start()
        await server.change { $0.replies = .atOnce }
        try await server.start()
        try await stage.wait(for: .available, times: 2)
        try await stage.present("four", from: 5)
        try await stage.shown(5)
        try await server.click(1, "default")
        try await stage.wait(for: .response("four", .standard, token: nil))
    }

    @Test func `no post is lost if the bus stops reading for a while`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        // A presenter that must ask the server again would send no post until the answer.
        var timeouts = ServerTimeouts()
        timeouts.knowledge = .seconds(3_600)
        timeouts.answer = .seconds(3_600)
        let stage = try await Stage.raised(
            on: bus, timeouts: timeouts, options: .init { $0.maximumQueuedBytes = 12 << 20 })
        let process = try #require(bus.processIdentifier)
        #expect(kill(process, SIGSTOP) == 0)
        // The texts together are larger than the buffer of any socket.
        let body = String(repeating: "x", count: Limits.screenText.most)
        let all = try (1...1_000).map {
            try Samples.presentation(
                "\($0)", token: UInt64($0), content: NotificationContent(title: "\($0)", body: body)
            )
        }
        stage.posts.add(all)
        // The posts have 8 MiB. The connection refuses another 8 MiB only while most posts wait.
        let refusal = await #expect(throws: BusError.self) {
            try await stage.connection.emit(
                path: "/a", interface: "test.Interface", member: "Happened",
                arguments: [.string(String(repeating: "x", count: 8 << 20))])
        }
        #expect(refusal?.code == .limitsExceeded)
        #expect(kill(process, SIGCONT) == 0)
        try await stage.shown(1_000)
        let inOrder = server.calls.all.map(\.summary) == (1...1_000).map(String.init)
        #expect(inOrder)
    }

    // MARK: Activation

    /// A bus that starts, in place of a server, a program that only sends a signal.
    ///
    /// A test that gets the signal starts the server itself. If the program fails, the bus reports
    /// that the server cannot be started. The signal has the value that `STEP` had in the bus's
    /// activation environment when the start was requested.
    private func startingBus(isFailing: Bool = false) throws -> PrivateBus {
        let signal =
            "/usr/bin/dbus-send --session --type=signal /starter org.example.Starter.Wanted "
            + "string:$STEP"
        return try PrivateBus(services: [
            "org.freedesktop.Notifications.service": """
            [D-BUS Service]
            Name=org.freedesktop.Notifications
            Exec=/bin/sh -c "\(signal)\(isFailing ? "; exit 1" : "")"
            """
        ])
    }

    private func starts(
        on stage: Stage
    ) async throws -> (Recording<String>, BusSubscription) {
        let starts = Recording<String>()
        let rule = MatchRule(interface: "org.example.Starter")
        let subscription = try await stage.connection.subscribe(rule) {
            starts.append($0.arguments.first?.stringValue ?? "")
        }
        return (starts, subscription)
    }

    /// The timeouts for a server that the test itself starts, which takes long on a busy machine.
    private static var timeoutsOfSlowStart: ServerTimeouts {
        var timeouts = ServerTimeouts()
        timeouts.serverStart = .seconds(90)
        timeouts.introduction = .seconds(90)
        return timeouts
    }

    @Test func `a server is started by the first popup and not before`() async throws {
        let bus = try startingBus()
        let stage = try await Stage(on: bus, timeouts: Self.timeoutsOfSlowStart)
        let (starts, subscription) = try await starts(on: stage)
        await stage.raise()
        try await stage.wait(for: .available)
        // A program that was started earlier would not report this value of `STEP`.
        try await stage.connection.updateActivationEnvironment(["STEP": "first-popup"])
        try await stage.present("a", "b")
        try await starts.first(1)
        try await stage.present("c", from: 3)
        let server = try await ScriptedServer.start(on: bus)
        try await stage.shown(3)
        #expect(server.calls.all.map(\.summary) == ["a", "b", "c"])
        // A server that ends because it has nothing to show is not started again.
        await server.stop()
        try await stage.wait(for: .available, times: 2)
        #expect(await stage.presenter.status().name == "Scripted")
        try await stage.connection.updateActivationEnvironment(["STEP": "later-popup"])
        try await stage.present("d", from: 4)
        #expect(try await starts.first(2) == ["first-popup", "later-popup"])
        subscription.cancel()
    }

    @Test func `a server that the bus can start is reported as missing, and then as available`()
        async throws
    {
        let stage = try await Stage(on: try startingBus())
        let events = Recording<PresenterEvent>()
        await stage.presenter.start { events.append($0) }
        let first = try await events.first(2)
        withExtendedLifetime(stage) {}
        guard case .serverMissing = first[0], case .available = first[1] else {
            Issue.record("\(first)")
            return
        }
    }

    @Test func `a status query starts a server that is not known yet`() async throws {
        let bus = try startingBus()
        let stage = try await Stage(on: bus, timeouts: Self.timeoutsOfSlowStart)
        let (starts, subscription) = try await starts(on: stage)
        await stage.raise()
        try await stage.wait(for: .available)
        async let status = stage.presenter.status()
        try await starts.first(1)
        let server = try await ScriptedServer.start(on: bus)
        #expect(await status.name == "Scripted")
        #expect(server.calls.all.isEmpty)
        subscription.cancel()
    }

    @Test func `a server that cannot be started is tried again after a while`() async throws {
        let bus = try startingBus(isFailing: true)
        // On a busy machine the server's program is slow, and must fail before this timeout.
        var timeouts = ServerTimeouts()
        timeouts.serverStart = .seconds(90)
        timeouts.start = .milliseconds(1)
        let stage = try await Stage(on: bus, timeouts: timeouts)
        let (starts, subscription) = try await starts(on: stage)
        await stage.raise()
        try await stage.wait(for: .available)
        for attempt in 1...2 {
            try await stage.present("one", from: UInt64(attempt))
            #expect(try await stage.outcome(of: UInt64(attempt)) == .unavailable)
            try await starts.first(attempt)
            #expect(starts.all.count == attempt, "each popup makes the bus start the server once")
            try await stage.wait(for: .available, times: attempt + 1)
        }
        #expect(
            stage.reports.all == [
                .available, .unavailable, .outcome(1, .unavailable), .available, .unavailable,
                .outcome(2, .unavailable), .available,
            ])
        let server = try await ScriptedServer.start(on: bus)
        try await stage.present("one", from: 3)
        try await stage.shown(3)
        #expect(server.calls.all.count == 1)
        #expect(starts.all.count == 2)
        subscription.cancel()
    }
}
