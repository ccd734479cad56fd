import DesktopBus
import Freedesktop
import NotificationModel
import TestSupport
import Testing

/// Popups of an earlier daemon, and popups that a new server shows again.
@Suite(.timeLimit(.minutes(2))) struct RestoringTests {
    private let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    /// Returns a server and its popup; the popup's sender has left the bus.
    private func orphan(of script: ServerScript) async throws -> (ScriptedServer, PresentedPopup) {
        let server = try await ScriptedServer.start(on: bus, script: script)
        let former = try await Stage.raised(on: bus)
        try await former.present("one")
        guard case .presented(let popup) = try await former.outcome(of: 1) else {
            throw HarnessError("not shown")
        }
        await former.connection.close()
        if case .keepsAll = script.departure {} else { try await server.departures.first(1) }
        return (server, popup)
    }

    @Test(arguments: [ServerScript.gnome46, .plasma64])
    func `a popup lost with its sender is shown again without a second popup`(
        _ script: ServerScript
    ) async throws {
        let (server, popup) = try await orphan(of: script)
        let stage = try await Stage(on: bus)
        await stage.presenter.adopt([try Samples.key("one"): popup])
        await stage.raise()
        #expect(try await stage.meetings.first(1) == [true])
        #expect(stage.reports.all.prefix(2) == [.lost(["one"]), .available])
        var again = try Samples.presentation("one", token: 2, category: Samples.category)
        again.isRestored = true
        stage.posts.add([again])
        let id = try await stage.shown(2)
        let post = server.calls.all[1]
        #expect(post.replacesID == popup.id)
        #expect(await server.shown.count == 1)
        #expect(post.hints["x-tocsin-restored"] == .bool(true))
        #expect(post.hints["suppress-sound"] == .bool(true))
        #expect(post.hints["urgency"] == .byte(0))
        #expect(post.hints["sound-name"] == nil && post.hints["sound-file"] == nil)
        try await server.click(id, "action.delete")
        try await stage.wait(for: .response("one", .custom("delete"), token: "token-\(id)"))
        #expect(stage.popupReports.count == 1)
    }

    /// GNOME closes the popups of a sender that leaves.
    ///
    /// The signals of these closes reach the next daemon, or no daemon.
    @Test func `no close is reported for a popup of an earlier run that closes with its sender`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus, script: .gnome46)
        let former = try await Stage.raised(on: bus)
        try await former.present("one")
        guard case .presented(let popup) = try await former.outcome(of: 1) else {
            throw HarnessError("not shown")
        }
        let stage = try await Stage(on: bus)
        await stage.presenter.adopt([try Samples.key("one"): popup])
        await stage.raise()
        try await stage.meetings.first(1)
        await former.connection.close()
        try await server.departures.first(1)
        // The presenter gets the signal of the close before the answer to this post.
        try await stage.present("two", from: 2)
        try await stage.shown(2)
        #expect(stage.popupReports.isEmpty)
    }

    /// dunst signals clicks only to the connection that posted the popup.
    ///
    /// That connection may be closed. Plasma before 6.4 does the same with replies.
    @Test(
        arguments: [
            (ServerScript.dunst, .unheard(["one"], onlyTypedReplies: false)),
            (.plasma63, .unheard(["one"], onlyTypedReplies: true)),
        ] as [(ServerScript, Report)])
    func `popups whose responses would be lost are reported, and a new post replaces them`(
        _ script: ServerScript, told: Report
    ) async throws {
        let (server, popup) = try await orphan(of: script)
        let stage = try await Stage(on: bus)
        await stage.presenter.adopt([try Samples.key("one"): popup])
        await stage.raise()
        try await stage.meetings.first(1)
        #expect(stage.reports.all.prefix(2) == [told, .available])
        var again = try Samples.presentation("one", token: 2, category: Samples.category)
        again.isRevealed = true
        stage.posts.add([again])
        let id = try await stage.shown(2)
        #expect(id == popup.id && server.calls.all[1].replacesID == id)
        #expect(server.calls.all[1].hints["urgency"] == .byte(1))
        try await server.click(id, "action.delete")
        try await stage.reports.first("the response") {
            if case .response("one", .custom("delete"), _) = $0 { true } else { false }
        }
        #expect(stage.popupReports.count == 1)
    }

    /// Plasma 5 sends a reply to the first poster of the popup, even after a replacement.
    @Test func `a popup whose replies go only to its first sender is closed and posted anew`()
        async throws
    {
        let (server, popup) = try await orphan(of: .plasma5)
        let stage = try await Stage(on: bus)
        await stage.presenter.adopt([try Samples.key("one"): popup])
        await stage.raise()
        try await stage.meetings.first(1)
        var again = try Samples.presentation("one", token: 2, category: Samples.category)
        again.isRevealed = true
        stage.posts.add([again])
        let id = try await stage.shown(2)
        #expect(id != popup.id && server.calls.all[1].replacesID == 0)
        #expect(Array(await server.shown.keys) == [id])
        try await server.reply(id, "On my way!")
        try await stage.wait(
            for: .response("one", .reply("answer", text: "On my way!"), token: nil))
        #expect(stage.popupReports.count == 1)
    }

    @Test func `no popup is lost on a server that keeps the popups of departed senders`()
        async throws
    {
        var script = ServerScript()
        script.capabilities.append("persistence")
        let (server, popup) = try await orphan(of: script)
        let stage = try await Stage(on: bus)
        await stage.presenter.adopt([try Samples.key("one"): popup])
        await stage.raise()
        #expect(try await stage.meetings.first(1) == [true])
        #expect(stage.reports.all == [.available])
        try await server.close(popup.id, reason: 2)
        try await stage.wait(for: .dismissed("one"))
    }

    @Test func `an urgent notification with a sound is restored silently and with low urgency`()
        throws
    {
        let server = ServerInformation(name: "x", capabilities: ["sound", "persistence"])
        var content = NotificationContent(title: "Fire", body: "now")
        content.interruptionLevel = .critical
        content.desktop = DesktopOptions()
        content.desktop?.urgency = 2
        var presentation = try Samples.presentation(content: content)
        #expect(NotifyArguments(presentation, for: server).hints["urgency"] == .byte(2))
        presentation.isRestored = true
        let hints = NotifyArguments(presentation, for: server).hints
        #expect(hints["urgency"] == .byte(0))
        #expect(hints["suppress-sound"] == .bool(true) && hints["sound-name"] == nil)
    }
}
