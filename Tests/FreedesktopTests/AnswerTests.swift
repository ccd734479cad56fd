import DesktopBus
import Freedesktop
import NotificationModel
import TestSupport
import Testing

/// Late, missing and malformed answers of servers, and malformed signals.
@Suite(.timeLimit(.minutes(2)))
struct AnswerTests {
    let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    private func impatient() -> ServerTimeouts {
        var timeouts = ServerTimeouts()
        timeouts.answer = .milliseconds(1)
        return timeouts
    }

    @Test func `a slow answer delays no other post`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        await server.change { $0.replies = .held }
        try await stage.present("one", "two")
        try await server.calls.first(2)
        await server.release()
        try await stage.shown(1)
        try await stage.shown(2)
        #expect(server.calls.all.count == 2)
    }

    @Test func `a post without an answer is not sent again`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus, timeouts: impatient())
        await server.change { $0.replies = .never }
        try await stage.present("one")
        #expect(try await stage.outcome(of: 1) == .unanswered)
        await server.change { $0.replies = .atOnce }
        try await stage.present("two", from: 2)
        try await server.calls.first(2)
        #expect(server.calls.all.map(\.summary) == ["one", "two"])
    }

    @Test func `a click is reported although the answer to the popup's post came late`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus, timeouts: impatient())
        await server.change { $0.replies = .held }
        try await stage.present("one")
        #expect(try await stage.outcome(of: 1) == .unanswered)
        await server.release()
        // The server answers in order: the answer to this call follows the late answer.
        let other = try await PlainClient(on: bus)
        _ = try await other.notify("Other")
        try await server.click(1, "default")
        try await stage.wait(for: .response("one", .standard, token: nil))
    }

    @Test func `a click on a replacement's button is reported although its post was answered late`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus, timeouts: impatient())
        let other = try await PlainClient(on: bus)
        await server.change { $0.replies = .held }
        stage.posts.add([try Samples.presentation("one", token: 1)])
        #expect(try await stage.outcome(of: 1) == .unanswered)
        await server.release()
        _ = try await other.notify("Other", actions: [(key: "default", label: "Open")])
        // The signal of this click follows the late answer.
        try await server.click(2, "default")
        try await stage.passed("default")
        await server.change { $0.replies = .held }
        try await stage.present("one", from: 2)
        #expect(try await stage.outcome(of: 2) == .unanswered)
        #expect(try await server.calls.first(3).map(\.replacesID) == [0, 0, 1])
        await server.release()
        _ = try await other.notify("Another")
        try await server.click(1, "action.archive")
        try await stage.wait(for: .response("one", .custom("archive"), token: nil))
    }

    @Test func `if both posts of a request are answered late, only the older popup is closed`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus, timeouts: impatient())
        await server.change { $0.replies = .held }
        try await stage.present("one")
        #expect(try await stage.outcome(of: 1) == .unanswered)
        try await stage.present("one", from: 2)
        #expect(try await stage.outcome(of: 2) == .unanswered)
        try await server.calls.first(2)
        await server.release()
        // The answer to this call follows the late answers.
        let other = try await PlainClient(on: bus)
        _ = try await other.notify("Other")
        #expect(try await server.closings.first(1) == [1])
        try await server.click(2, "default")
        try await stage.wait(for: .response("one", .standard, token: nil))
    }

    @Test func `a popup that appears late is closed if its replacement is only in the list`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus, timeouts: impatient())
        let other = try await PlainClient(on: bus)
        await server.change { $0.replies = .held }
        try await stage.present("one")
        #expect(try await stage.outcome(of: 1) == .unanswered)
        var next = try Samples.presentation("one", token: 2)
        next.isForListOnly = true
        stage.posts.add([next])
        #expect(try await stage.outcome(of: 2) == .deliveredSilently)
        await server.release()
        _ = try await other.notify("Other", actions: [(key: "default", label: "Open")])
        // The signal of this click follows the late answer.
        try await server.click(2, "default")
        try await stage.passed("default")
        // The server gets this post after the close.
        try await stage.present("two", from: 3)
        try await server.calls.first(3)
        #expect(server.closings.all == [1])
    }

    @Test func `an expired popup that two late posts show again is not closed`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus, timeouts: impatient())
        let other = try await PlainClient(on: bus)
        await server.change { $0.replies = .held }
        try await stage.present("one")
        #expect(try await stage.outcome(of: 1) == .unanswered)
        await server.release()
        _ = try await other.notify("Other", actions: [(key: "default", label: "Open")])
        // The signal of this click follows the late answer.
        try await server.click(2, "default")
        try await stage.passed("default")
        await server.change { $0.replies = .held }
        try await stage.present("one", from: 2)
        #expect(try await stage.outcome(of: 2) == .unanswered)
        try await stage.present("one", from: 3)
        #expect(try await stage.outcome(of: 3) == .unanswered)
        #expect(try await server.calls.first(4).map(\.replacesID) == [0, 0, 1, 1])
        // The server lets the popup expire before it reads the two posts.
        try await server.emit("NotificationClosed", [.uint32(1), .uint32(1)])
        try await stage.wait(for: .expired("one"))
        await server.release()
        _ = try await other.notify("Another", actions: [(key: "another", label: "Open")])
        try await server.click(3, "another")
        try await stage.passed("another")
        // If the presenter closed the popup, the server would get that call before this post.
        try await stage.present("two", from: 4)
        try await server.calls.first(6)
        #expect(server.closings.all.isEmpty)
        try await server.click(1, "default")
        try await stage.wait(for: .response("one", .standard, token: nil))
    }

    @Test func `the popup of a withdrawn post is closed when its late answer comes`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus, timeouts: impatient())
        await server.change { $0.replies = .held }
        try await stage.present("one")
        #expect(try await stage.outcome(of: 1) == .unanswered)
        try await stage.withdraw("one")
        await server.release()
        #expect(try await server.closings.first(1) == [1])
        #expect(stage.popupReports.isEmpty)
    }

    @Test(arguments: [true, false])
    func `an answer without a valid popup id is treated as no answer`(isText: Bool) async throws {
        var script = ServerScript()
        if isText { script.answersText = true } else { script.fixedID = 0 }
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one", "two")
        #expect(try await stage.outcome(of: 1) == .unanswered)
        #expect(try await stage.outcome(of: 2) == .unanswered)
        #expect(server.calls.all.map(\.replacesID) == [0, 0])
    }

    @Test func `if two popups get one id, the older popup expires and the newer popup is answered`()
        async throws
    {
        var script = ServerScript()
        script.fixedID = 7
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one", "two")
        try await stage.shown(2)
        try await server.click(7, "default")
        try await stage.wait(for: .response("two", .standard, token: nil))
        #expect(
            stage.popupReports == [.expired("one"), .response("two", .standard, token: nil)])
    }

    @Test
    func `a post is retried after an error about a missing service, and no outage is reported`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus, pace: 1_000)
        await server.change {
            $0.failures = .next(1, "org.freedesktop.DBus.Error.ServiceUnknown")
        }
        try await stage.present("two")
        try await stage.shown(1)
        #expect(server.calls.all.map(\.summary) == ["two", "two"])
        #expect(stage.reports.all.count { $0 == .unavailable } == 0)
    }

    /// A server may itself send an error named `NoReply` or `Timeout`.
    ///
    /// Such an error is no sign that the server has shown the popup.
    @Test(arguments: [
        "NoReply", "Timeout", "TimedOut", "Disconnected", "NoServer", "Failed", "NoMemory",
        "AccessDenied", "IOError", "InvalidArgs", "UnknownMethod", "NotSupported",
    ])
    func `an error of the server refuses only its post, and the server stays available`(
        name: String
    ) async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        let error = try ErrorName("org.freedesktop.DBus.Error.\(name)")
        await server.change { $0.failures = .next(1, error) }
        try await stage.present("one")
        guard case .refused = try await stage.outcome(of: 1) else {
            Issue.record("\(stage.reports.all)")
            return
        }
        try await stage.present("two", from: 2)
        try await stage.shown(2)
        #expect(server.calls.all.map(\.summary) == ["one", "two"])
        #expect(stage.reports.all.count { $0 == .unavailable } == 0)
    }

    /// LXQt 2.4 signals the timeout of a transient popup as a dismissal.
    @Test(arguments: [("2.4.0", Report.expired("one")), ("2.3.1", Report.dismissed("one"))])
    func `a dismissal is treated as an expiry if the server signals timeouts as dismissals`(
        version: String, expected: Report
    ) async throws {
        var script = ServerScript()
        script.information = ["lxqt-notificationd", "lxqt.org", version, "1.2"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        let transient = NotificationContent.with {
            $0.desktop = DesktopOptions()
            $0.desktop?.isTransient = true
        }
        var lasting = transient
        lasting.desktop?.expireTimeout = 0
        stage.posts.add([
            try Samples.presentation("one", token: 1, content: transient),
            try Samples.presentation("two", token: 2, content: lasting),
            try Samples.presentation("three", token: 3),
        ])
        try await server.close(stage.shown(1), reason: 2)
        try await stage.wait(for: expected)
        // The second popup has no timeout, and the third is not transient.
        try await server.close(stage.shown(2), reason: 2)
        try await stage.wait(for: .dismissed("two"))
        try await server.close(stage.shown(3), reason: 2)
        try await stage.wait(for: .dismissed("three"))
        #expect(stage.popupReports.count == 3)
    }

    @Test func `malformed and unknown signals are ignored`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one")
        try await stage.shown(1)
        let huge = String(repeating: "x", count: 1 << 20)
        for arguments in [
            [], [.uint32(1)], [.string("1"), .string("default")], [.int32(1), .string("default")],
            [.uint32(1), .uint32(1)], [.uint32(1), .string(huge)],
            [.uint32(1), .array(element: "s", [])], [.uint32(1), .string("action.unheard")],
            [.variant(.string("1")), .string("default")],
        ] as [[BusValue]] {
            try await server.emit("ActionInvoked", arguments)
        }
        try await server.emit("Unheard", [.uint32(1), .string("default")])
        try await server.emit("ActivationToken", [.uint32(1), .string(huge)])
        try await server.emit("ActivationToken", [.uint32(1), .bool(true)])
        try await server.emit("NotificationReplied", [.uint32(1)])
        try await server.click(1, "default")
        try await stage.wait(for: .response("one", .standard, token: nil))
        #expect(stage.popupReports.count == 1)
    }

    @Test(arguments: [
        [BusValue.uint32(1)], [.uint32(1), .uint32(99)], [.uint32(1), .int32(1)],
        [.uint32(1), .int32(-5)], [.uint32(1), .string("1")],
    ])
    func `a close with an unknown or malformed reason is an expiry`(
        arguments: [BusValue]
    ) async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one")
        try await stage.shown(1)
        try await server.emit("NotificationClosed", arguments)
        try await stage.wait(for: .expired("one"))
    }

    @Test func `a typed reply is cut at its limit`() async throws {
        let server = try await ScriptedServer.start(on: bus, script: .plasma64)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one")
        try await stage.shown(1)
        try await server.reply(1, String(repeating: "x", count: 1 << 20))
        let text = String(repeating: "x", count: 65_536)
        try await stage.wait(for: .response("one", .reply("answer", text: text), token: nil))
    }
}
