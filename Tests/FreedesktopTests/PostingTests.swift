import DesktopBus
import Freedesktop
import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PostingTests {
    let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    private static let excess: ErrorName =
        "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"

    @Test func `a post is shown, and its popup names the server`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one")
        guard case .presented(let popup) = try await stage.outcome(of: 1) else {
            Issue.record("not shown")
            return
        }
        let call = try #require(server.calls.all.first)
        #expect(popup.id == call.id)
        #expect(popup.server.contains("/:1."))
        #expect(call.appName == "Example")
        #expect(call.summary == "one")
        #expect(call.actions.last == .init(key: "default", label: ""))
        #expect(stage.reports.all.first == .available)
    }

    @Test func `posts that come before the server is identified are sent in order`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage(on: bus)
        await server.change { $0.isSilent = true }
        await stage.raise()
        try await stage.present("a", "b")
        await server.introduce()
        try await stage.present("c", "d", from: 3)
        try await stage.shown(4)
        #expect(server.calls.all.map(\.summary) == ["a", "b", "c", "d"])
    }

    @Test func `a second post of a request replaces its popup`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one", "one", "two")
        try await stage.shown(3)
        #expect(server.calls.all.map(\.replacesID) == [0, 1, 0])
        #expect(await server.shown.count == 2)
        #expect(stage.popupReports.isEmpty)
    }

    /// GNOME Shell 43 draws a replaced popup without its buttons until the popup has left the
    /// screen.
    @Test func `a popup whose replacement would lose its buttons is closed and posted anew`()
        async throws
    {
        var script = ServerScript()
        script.information = ["gnome-shell", "GNOME", "43.9", "1.2"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one", "one", "two")
        try await stage.shown(3)
        #expect(server.calls.all.map(\.replacesID) == [0, 0, 0])
        #expect(await server.shown.count == 2)
        #expect(stage.popupReports.isEmpty)
        let plain = try Samples.presentation("plain", token: 4)
        let again = try Samples.presentation("plain", token: 5)
        stage.posts.add([plain, again])
        let first = try await stage.shown(4)
        try await stage.shown(5)
        #expect(server.calls.all.last?.replacesID == first)
    }

    /// LXQt 1.2 showed the new text above the buttons of the popup's first post.
    @Test func `a popup whose replacement would keep its first buttons is closed and posted anew`()
        async throws
    {
        var script = ServerScript()
        script.information = ["lxqt-notificationd", "lxqt.org", "1.2.0", "1.2"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        for (token, category) in [nil, Samples.category, Samples.category, nil, nil].enumerated() {
            let next = try Samples.presentation(token: UInt64(token + 1), category: category)
            stage.posts.add([next])
        }
        let second = try await stage.shown(2)
        let fourth = try await stage.shown(4)
        try await stage.shown(5)
        #expect(server.calls.all.map(\.replacesID) == [0, 0, second, 0, fourth])
        #expect(await server.shown.count == 1)
        #expect(stage.popupReports.isEmpty)
    }

    @Test func `ten thousand posts arrive in order`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        let all = try (1...10_000).map { try Samples.presentation("\($0)", token: UInt64($0)) }
        stage.posts.add(all)
        let last = try await stage.outcome(of: 10_000, within: 240)
        #expect(last != .unavailable)
        // Find the first difference: a failed comparison of whole lists would fill the screen.
        let numbers = server.calls.all.compactMap { Int($0.summary) }
        let stray = zip(numbers, 1...10_000).first { $0 != $1 }
        #expect(stray == nil)
        #expect(numbers.count == 10_000)
        #expect(stage.reports.all.count == 10_001)
    }

    @Test func `a final refusal ends only the refused post`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        await server.change { $0.failures = .next(1, "org.example.Broken") }
        try await stage.present("one", "two")
        try await stage.shown(2)
        #expect(
            try await stage.outcome(of: 1)
                == .refused("org.example.Broken: Exceeded maximum number of notifications"))
        #expect(server.calls.all.count == 2)
    }

    @Test func `thousands of posts that cannot be sent are refused one by one`() async throws {
        var script = ServerScript()
        script.information = ["Plasma", "KDE", "5.27.5", "1.2"]
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        // A string with NUL cannot be sent.
        //
        // On Plasma the queue sends a post only after the end of the previous post.
        let all = try (1...5_000).map {
            try Samples.presentation(
                "\($0)", token: UInt64($0),
                content: .with {
                    $0.desktop = DesktopOptions()
                    $0.desktop?.icon = "\u{0}"
                })
        }
        stage.posts.add(all)
        guard case .refused = try await stage.outcome(of: 5_000) else {
            Issue.record("not refused")
            return
        }
        try await stage.present("fine", from: 9_999)
        try await stage.shown(9_999)
        #expect(server.calls.all.count == 1)
    }

    @Test func `posts that the server delays are retried in order`() async throws {
        var script = ServerScript.plasma64
        script.repeatInterval = nil
        script.failures = .next(2, Self.excess)
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus, pace: 1_000)
        try await stage.present("a", "b", "c")
        try await stage.shown(3)
        #expect(server.calls.all.map(\.summary) == ["a", "a", "a", "b", "c"])
        #expect(stage.reports.all.filter { $0 == .delayed(1) }.count == 2)
    }

    @Test func `a text that Plasma refuses as a repetition is shown later`() async throws {
        let server = try await ScriptedServer.start(on: bus, script: .plasma64)
        // The test itself ends the time in which Plasma refuses the text. On a busy machine, a real
        // pause of one second could be over before the next post.
        await server.change { $0.repeatInterval = .seconds(3_600) }
        let stage = try await Stage.raised(on: bus, pace: 0.25)
        let content = NotificationContent(title: "Same", body: "Same")
        stage.posts.add([
            try Samples.presentation("a", token: 1, content: content),
            try Samples.presentation("b", token: 2, content: content),
        ])
        try await stage.wait(for: .delayed(2))
        await server.change { $0.repeatInterval = nil }
        try await stage.shown(2)
        #expect(server.calls.all.count == 3)
        #expect(await server.shown.count == 2)
    }

    @Test func `a post of another app overtakes a post that waits`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        await server.change { $0.failures = .next(1, Self.excess) }
        // Add both posts together, so that the first cannot be retried before the second is sent.
        stage.posts.add([
            try Samples.presentation("slow", token: 1),
            try Samples.presentation("fast", app: "org.example.Other", token: 2),
        ])
        try await stage.shown(2)
        try await stage.shown(1)
        #expect(server.calls.all.map(\.summary) == ["slow", "fast", "slow"])
    }

    @Test func `a post to a full server waits until a popup leaves`() async throws {
        var script = ServerScript()
        script.information = ["Notification Daemon", "MATE", "1.26.0", "1.1"]
        script.limit = 2
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("a", "b", "c")
        try await stage.wait(for: .delayed(3))
        try await server.close(1, reason: 1)
        try await stage.shown(3)
        #expect(stage.popupReports == [.expired("a")])
        #expect(server.closings.all.isEmpty)
    }

    @Test func `on a server that stays full the presenter closes its oldest popup`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        await server.change { $0.limit = 2 }
        let stage = try await Stage.raised(on: bus, pace: 30_000)
        try await stage.present("a", "b", "c")
        try await stage.shown(3)
        #expect(server.closings.all == [1])
        #expect(stage.popupReports == [.expired("a")])
    }

    @Test func `a withdrawn popup makes room for a waiting post`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        await server.change { $0.limit = 1 }
        // At the slow pace only the withdrawal ends the post's pause.
        let stage = try await Stage.raised(on: bus, pace: 0.05)
        try await stage.present("a", "b")
        try await stage.wait(for: .delayed(2))
        try await stage.withdraw("a")
        try await stage.shown(2)
        #expect(await server.shown.values.map(\.summary) == ["b"])
        #expect(stage.popupReports.isEmpty)
    }

    @Test func `a post that is withdrawn before its answer is closed, and a later post is not`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        await server.change { $0.replies = .held }
        try await stage.present("one")
        try await server.calls.first(1)
        try await stage.withdraw("one")
        try await stage.present("one", from: 2)
        await server.release()
        let id = try await stage.shown(2)
        #expect(try await stage.outcome(of: 1) == FreedesktopPresenter.withdrawn)
        #expect(server.calls.all.map(\.replacesID) == [0, 0])
        #expect(server.closings.all == [1])
        #expect(await Array(server.shown.keys) == [id])
        #expect(stage.popupReports.isEmpty)
    }

    @Test func `a post withdrawn before it is sent is never shown`() async throws {
        let server = try await ScriptedServer.start(on: bus, script: .plasma64)
        let stage = try await Stage.raised(on: bus)
        await server.change { $0.replies = .held }
        try await stage.present("a", "b", "c")
        try await server.calls.first(1)
        stage.posts.withdraw(try Samples.key("b"))
        await server.release()
        try await stage.shown(3)
        #expect(server.calls.all.map(\.summary) == ["a", "c"])
    }

    /// For content without a text, a server would show an empty popup.
    @Test(arguments: [ServerScript(), .gnome46, .plasma64])
    func `content without a text has at most a sound, and no popup`(
        script: ServerScript
    ) async throws {
        let server = try await ScriptedServer.start(on: bus, script: script)
        let stage = try await Stage.raised(on: bus)
        let silent = NotificationContent(title: " ", body: "")
        var loud = silent
        loud.sound = NotificationSound(.standard)
        stage.posts.add([
            try Samples.presentation("silent", token: 1, content: silent),
            try Samples.presentation("loud", token: 2, content: loud),
        ])
        #expect(try await stage.outcome(of: 1) == .withoutPopup)
        #expect(try await stage.outcome(of: 2) == .withoutPopup)
        try await stage.present("text", from: 3)
        try await stage.shown(3)
        #expect(server.calls.all.map(\.summary) == ["text"])
        let sounds = stage.reports.all.filter { if case .sound = $0 { true } else { false } }
        #expect(sounds.count == 1)
    }

    @Test func `a notification that is only for its sound is heard and not shown`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        let loud = NotificationContent.with { $0.sound = NotificationSound(.standard) }
        var heard = try Samples.presentation("heard", options: .sound, content: loud)
        heard.isForSoundOnly = true
        stage.posts.add([heard])
        #expect(try await stage.outcome(of: 1) == .withoutPopup)
        try await stage.present("shown", from: 2)
        try await stage.shown(2)
        #expect(server.calls.all.map(\.summary) == ["shown"])
        let sounds = stage.reports.all.filter { if case .sound = $0 { true } else { false } }
        #expect(sounds.count == 1)
    }

    /// The engine closes the replaced popup after the outcome.
    ///
    /// If a post in flight arrived after the close, its popup would stay.
    @Test func `content without a text waits for the post that it replaces`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        await server.change { $0.replies = .held }
        try await stage.present("one")
        try await server.calls.first(1)
        stage.posts.add([
            try Samples.presentation(
                "one", token: 2, content: NotificationContent(title: "", body: ""))
        ])
        try await stage.present("two", from: 3)
        try await server.calls.first(2)
        await server.release()
        #expect(try await stage.outcome(of: 2) == .withoutPopup)
        let outcomes = stage.reports.all.compactMap { report in
            if case .outcome(let token, _) = report { token } else { nil }
        }
        #expect(outcomes.prefix(while: { $0 != 2 }).contains(1), "\(outcomes)")
    }

    /// A removed notification and its replacement have the same key.
    @Test func `closing the popups of removed notifications withdraws no post`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        // The slow pace keeps the post waiting until the popup has left.
        let stage = try await Stage.raised(on: bus, pace: 0.05)
        try await stage.present("one")
        let id = try await stage.shown(1)
        await server.change { $0.failures = .next(1, $0.limitError) }
        try await stage.present("one", from: 2)
        try await stage.wait(for: .delayed(2))
        try await stage.closePopup("one")
        #expect(try await server.closings.first(1) == [id])
        try await stage.shown(2)
        #expect(server.calls.all.map(\.replacesID) == [0, id, 0])
        #expect(stage.popupReports.isEmpty)
    }

    /// A popup that is not closed stays on the screen, and a click on it reaches nobody.
    @Test func `a removed popup of an earlier run is closed as soon as the server is known`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let first = try await Stage.raised(on: bus)
        try await first.present("one", "two")
        guard case .presented(let popup) = try await first.outcome(of: 1) else {
            throw HarnessError("\(first.reports.all)")
        }
        try await first.shown(2)
        await server.change { $0.isSilent = true }
        let second = try await Stage(on: bus)
        await second.presenter.adopt([try Samples.key("one"): popup])
        try await second.closePopup("one")
        await second.raise()
        await server.introduce()
        #expect(try await server.closings.first(1) == [popup.id])
        #expect(await second.presenter.popupKeys.isEmpty)
    }

    @Test func `the text of a hidden preview is in the presenter's language`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus, language: .german)
        var presentation = try Samples.presentation()
        presentation.previews = .never
        stage.posts.add([presentation])
        try await stage.shown(1)
        #expect(server.calls.all.map(\.body) == ["Mitteilung"])
    }

    @Test func `a popup that cannot be replaced is posted anew`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let stage = try await Stage.raised(on: bus)
        try await stage.present("one")
        try await stage.shown(1)
        await server.change {
            $0.failures = .next(1, "org.freedesktop.DBus.Error.InvalidArgs")
        }
        try await stage.present("one", from: 2)
        try await stage.shown(2)
        #expect(server.calls.all.map(\.replacesID) == [0, 1, 0])
    }

    @Test func `capabilities are read again before a later post`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        var timeouts = ServerTimeouts()
        timeouts.knowledge = .zero
        let stage = try await Stage.raised(on: bus, timeouts: timeouts)
        await server.change { $0.capabilities = ["body"] }
        try await stage.present("quiet")
        try await stage.shown(1)
        await server.change { $0.capabilities = ["body", "actions"] }
        try await stage.present("loud", from: 2)
        try await stage.shown(2)
        #expect(server.calls.all.map(\.actions.isEmpty) == [true, false])
        #expect(await stage.presenter.status().capabilities == ["actions", "body"])
    }
}
