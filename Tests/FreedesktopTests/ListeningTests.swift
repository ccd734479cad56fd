import DesktopBus
import Freedesktop
import NotificationModel
import TestSupport
import Testing

/// The presenter reports each action of the user once, and only if the server signals the action.
@Suite(.timeLimit(.minutes(2)))
struct ListeningTests {
    let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    private func screen(
        _ script: ServerScript = ServerScript(), timeouts: ServerTimeouts = ServerTimeouts()
    ) async throws -> (ScriptedServer, Stage) {
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus, timeouts: timeouts)
        try await stage.present("one", "two")
        // Until both posts are answered, the presenter keeps signals about their popups.
        try await stage.shown(1)
        try await stage.shown(2)
        return (server, stage)
    }

    @Test func `a click is reported with its activation token`() async throws {
        let (server, stage) = try await screen(.gnome46)
        try await server.click(1, "action.archive")
        try await server.close(2, reason: 1)
        try await stage.wait(for: .expired("two"))
        #expect(
            stage.popupReports == [
                .response("one", .custom("archive"), token: "token-1"), .expired("two"),
            ])
    }

    @Test func `a typed reply is reported with the identifier of its action`() async throws {
        let (server, stage) = try await screen(.plasma64)
        try await server.reply(1, "On my way\nnow")
        try await server.close(2, reason: 1)
        try await stage.wait(for: .expired("two"))
        #expect(
            stage.popupReports == [
                .response("one", .reply("answer", text: "On my way\nnow"), token: nil),
                .expired("two"),
            ])
    }

    @Test func `a signal that GNOME sends twice is reported once`() async throws {
        var script = ServerScript.gnome46
        script.signalCopies = 2
        let (server, stage) = try await screen(script)
        // GNOME sends one copy from a connection that does not own the server's bus name.
        try await server.emitFromImpostor("ActionInvoked", [.uint32(1), .string("default")])
        try await server.click(1, "default")
        try await server.close(2, reason: 1)
        try await stage.wait(for: .expired("two"))
        #expect(
            stage.popupReports == [
                .response("one", .standard, token: "token-1"), .expired("two"),
            ])
    }

    @Test func `signals of a connection that does not own the server's bus name are ignored`()
        async throws
    {
        let (server, stage) = try await screen()
        for (member, argument) in [
            ("ActivationToken", .string("forged")), ("ActionInvoked", .string("default")),
            ("NotificationReplied", .string("forged")), ("NotificationClosed", .uint32(2)),
            ("NotificationClosed", .uint32(1)),
        ] as [(MemberName, BusValue)] {
            try await server.emitFromImpostor(member, [.uint32(1), argument])
        }
        try await server.emitFromImpostor("Marker", [.string("the last forgery")])
        try await stage.passed("the last forgery")
        #expect(stage.popupReports.isEmpty)
        try await server.click(1, "default")
        try await stage.wait(for: .response("one", .standard, token: nil))
        #expect(stage.popupReports.count == 1)
    }

    @Test func `a signal that the server sends only to the popup's sender is handled`() async throws
    {
        var script = ServerScript()
        script.isUnicast = true
        let (server, stage) = try await screen(script)
        try await server.click(1, "default")
        try await stage.wait(for: .response("one", .standard, token: nil))
    }

    @Test func `a close by the user is reported as one dismissal`() async throws {
        let (server, stage) = try await screen()
        try await server.close(1, reason: 2)
        try await stage.wait(for: .dismissed("one"))
        #expect(stage.popupReports == [.dismissed("one")])
    }

    /// Since GNOME 46, an app's popups also close without the user: when the connection that posted
    /// the first popup leaves the bus.
    @Test func `a close by GNOME 46 is reported as an uncertain dismissal`()
        async throws
    {
        let (server, stage) = try await screen(.gnome46)
        try await server.close(1, reason: 2)
        try await stage.wait(for: .dismissed("one", isCertain: false))
    }

    @Test func `an action that follows the close of its popup is reported in place of a dismissal`()
        async throws
    {
        var timeouts = ServerTimeouts()
        timeouts.settling = .seconds(3_600)
        let (server, stage) = try await screen(timeouts: timeouts)
        try await server.close(1, reason: 2)
        try await server.emit("ActionInvoked", [.uint32(1), .string("default")])
        try await stage.wait(for: .response("one", .standard, token: nil))
        #expect(stage.popupReports.count == 1)
    }

    /// A dismissal that is reported after the outcome would dismiss the new notification.
    ///
    /// A click on the new popup would then reach nobody.
    @Test(arguments: [(false, "Text"), (true, "Text"), (false, "")])
    func `a dismissal is reported before the outcome of the app's next post`(
        isForListOnly: Bool, text: String
    ) async throws {
        var timeouts = ServerTimeouts()
        timeouts.settling = .seconds(3_600)
        let (server, stage) = try await screen(timeouts: timeouts)
        try await server.close(1, reason: 2)
        try await stage.passed("NotificationClosed")
        var next = try Samples.presentation(
            "one", token: 3, content: NotificationContent(title: text, body: text))
        next.isForListOnly = isForListOnly
        stage.posts.add([next])
        let outcome = try await stage.outcome(of: 3)
        #expect(stage.reports.all.suffix(2) == [.dismissed("one"), .outcome(3, outcome)])
    }

    /// The presenter first reads the server's capabilities again, which delays the post.
    @Test func `a click that follows its popup's close is reported although the app posts again`()
        async throws
    {
        var timeouts = ServerTimeouts()
        timeouts.settling = .seconds(3_600)
        timeouts.knowledge = .zero
        let (server, stage) = try await screen(timeouts: timeouts)
        try await server.close(1, reason: 2)
        try await stage.passed("NotificationClosed")
        await server.change { $0.replies = .held }
        try await stage.present("one", from: 3)
        try await server.calls.first(3)
        try await server.emit("ActionInvoked", [.uint32(1), .string("default")])
        let first = try await stage.reports.first("the click") { $0.isAboutPopup }
        #expect(first == .response("one", .standard, token: nil))
        await server.release()
        try await stage.shown(3)
        #expect(stage.popupReports == [.response("one", .standard, token: nil)])
    }

    @Test func `the presenter closes a popup that stays after a click on an action`() async throws {
        var script = ServerScript()
        script.actionCloses = false
        let (server, stage) = try await screen(script)
        try await server.click(1, "default")
        #expect(try await server.closings.first(1) == [1])
        try await server.close(2, reason: 1)
        try await stage.wait(for: .expired("two"))
        #expect(
            stage.popupReports == [.response("one", .standard, token: nil), .expired("two")])
    }

    @Test func `a click that precedes the answer to its post is reported after the outcome`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        await server.change { $0.replies = .held }
        try await stage.present("one")
        try await server.calls.first(1)
        try await server.click(1, "default")
        try await stage.passed("default")
        await server.release()
        try await stage.wait(for: .response("one", .standard, token: nil))
        let id = try await stage.shown(1)
        #expect(id == 1)
        #expect(stage.reports.all.last == .response("one", .standard, token: nil))
    }

    @Test func `a withdrawn popup is closed without a report`() async throws {
        let (server, stage) = try await screen()
        try await stage.withdraw("one", "unknown")
        #expect(try await server.closings.first(1) == [1])
        try await server.close(2, reason: 1)
        try await stage.wait(for: .expired("two"))
        #expect(stage.popupReports == [.expired("two")])
    }

    @Test func `a click on a popup of an earlier run is reported if its server still runs`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let former = try await Stage.raised(on: bus)
        try await former.present("one")
        guard case .presented(let popup) = try await former.outcome(of: 1) else {
            Issue.record("not shown")
            return
        }
        await former.connection.close()
        let stage = try await Stage(on: bus)
        let stranger = PresentedPopup(id: popup.id, server: "another/:1.2")
        await stage.presenter.adopt([
            try Samples.key("one"): popup, try Samples.key("gone"): stranger,
        ])
        await stage.raise()
        try await stage.wait(for: .lost(["gone"]))
        try await stage.wait(for: .available)
        try await server.click(popup.id, "action.delete")
        try await stage.wait(for: .response("one", .custom("delete"), token: nil))
        #expect(stage.popupReports.count == 1)
        #expect(stage.meetings.all == [false])
    }

    /// The user may click before a new daemon has identified its server.
    @Test
    func `a click on a popup of an earlier run is not lost during the server's identification`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let former = try await Stage.raised(on: bus)
        try await former.present("one")
        guard case .presented(let popup) = try await former.outcome(of: 1) else {
            Issue.record("not shown")
            return
        }
        await former.connection.close()
        await server.change { $0.isSilent = true }
        let stage = try await Stage(on: bus)
        await stage.presenter.adopt([try Samples.key("one"): popup])
        // The presenter has subscribed when this call returns.
        await stage.raise()
        try await server.click(popup.id, "action.delete")
        await server.introduce()
        try await stage.wait(for: .response("one", .custom("delete"), token: nil))
    }
}
