import DesktopBus
import Freedesktop
import NotificationModel
import TestSupport
import Testing

/// Posts with one key that the portal has not answered yet.
@Suite(.timeLimit(.minutes(2)))
struct PortalReplacementTests {
    private typealias Desk = PortalPresenterTests.Desk

    private let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    /// Returns a portal and its presenter.
    ///
    /// The portal got the post "tea". It answers no call before `release()`.
    private func unansweredTea(
        failures: PortalScript.Failures = .none
    ) async throws -> (portal: ScriptedPortal, desk: Desk) {
        var script = PortalScript()
        script.isMute = true
        script.failures = failures
        let portal = try await ScriptedPortal.start(on: bus, script: script)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await portal.calls.first(1)
        return (portal, desk)
    }

    /// A second post of the former content would replace the new content.
    @Test func `a refused notification is not sent again after its replacement`() async throws {
        let (portal, desk) = try await unansweredTea(
            failures: .withFiles("org.freedesktop.portal.Error.InvalidArgument"))
        try await desk.present("tea", token: 2, content: .with { $0.title = "new" })
        try await portal.calls.first(2)
        await portal.release()
        try await desk.shown(2)
        guard case .refused = try await desk.outcome(of: 1) else {
            throw HarnessError("not refused: \(desk.reports.all)")
        }
        #expect(portal.calls.all.map(\.title) == ["tea", "new", "new"])
    }

    /// A bus refuses messages to a slow portal, and has room for them a moment later.
    @Test func `a replacement that exceeds a limit of the bus is delayed`() async throws {
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await desk.shown(1)
        await portal.change { $0.failures = .all("org.freedesktop.DBus.Error.LimitsExceeded") }
        try await desk.present("tea", token: 2)
        let end = try await desk.reports.first("the end of the second post") {
            switch $0 {
            case .delayed(2), .outcome(2, _): true
            default: false
            }
        }
        #expect(end == .delayed(2))
        #expect(portal.calls.all.count == 2)
    }

    /// The bus may reach a limit while it starts the portal again after a crash.
    @Test func `a delayed post between a portal's crashes does not reset the count of crashes`()
        async throws
    {
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await Desk(on: bus)
        for (token, crashes) in [(1, 1), (2, nil), (3, 2), (4, 3)] as [(UInt64, Int?)] {
            await portal.change {
                $0.isMute = crashes != nil
                $0.failures =
                    crashes == nil ? .all("org.freedesktop.DBus.Error.LimitsExceeded") : .none
            }
            try await desk.present("tea", token: token)
            try await portal.calls.first(Int(token))
            guard let count = crashes else {
                try await desk.reports.first("the delay") { $0 == .delayed(token) }
                continue
            }
            await portal.stop()
            try await desk.reports.wait(for: "its end") {
                $0.count { $0 == .unavailable } == count
            }
            try await portal.start()
            try await desk.reports.wait(for: "its return") {
                $0.count { $0 == .available } == count + 1
            }
        }
        #expect(try await desk.outcome(of: 3) == .interrupted)
        guard case .refused = try await desk.outcome(of: 4) else {
            throw HarnessError("not refused: \(desk.reports.all)")
        }
    }

    @Test func `a withdrawal does not remove the replacement that is posted after it`()
        async throws
    {
        let (portal, desk) = try await unansweredTea()
        desk.presenter.withdraw([try Samples.key("tea")])
        try await desk.present("tea", token: 2)
        try await portal.calls.first(2)
        await portal.release()
        #expect(try await desk.outcome(of: 1) == FreedesktopPresenter.withdrawn)
        try await desk.shown(2)
        // A removal would reach the portal before this post.
        try await desk.present("coffee", token: 3)
        try await desk.shown(3)
        #expect(portal.removals.all.isEmpty)
    }

    /// Only the first of three posts is withdrawn, and its late answer comes with the refusal.
    @Test func `a refused replacement does not remove the shown notification after a withdrawal`()
        async throws
    {
        let (portal, desk) = try await unansweredTea()
        let key = try Samples.key("tea")
        desk.presenter.withdraw([key])
        await portal.change { $0.isMute = false }
        try await desk.present("tea", token: 2)
        try await desk.shown(2)
        await portal.change {
            $0.isMute = true
            $0.failures = .all("org.freedesktop.portal.Error.InvalidArgument")
        }
        try await desk.present("tea", token: 3)
        try await portal.calls.first(3)
        await portal.release()
        #expect(try await desk.outcome(of: 1) == FreedesktopPresenter.withdrawn)
        guard case .refused = try await desk.outcome(of: 3) else {
            throw HarnessError("not refused: \(desk.reports.all)")
        }
        await portal.change { $0.failures = .none }
        // A removal would reach the portal before this post.
        try await desk.present("coffee", token: 4)
        try await desk.shown(4)
        #expect(portal.removals.all.isEmpty)
        #expect(await desk.presenter.posted.contains(key))
    }

    @Test func `one withdrawal removes a notification and its unanswered replacement`()
        async throws
    {
        let (portal, desk) = try await unansweredTea()
        try await desk.present("tea", token: 2)
        try await portal.calls.first(2)
        desk.presenter.withdraw([try Samples.key("tea")])
        // When this call returns, the presenter has handled the withdrawal, and has no answer yet.
        _ = await desk.presenter.posted.count
        await portal.release()
        #expect(try await desk.outcome(of: 1) == FreedesktopPresenter.withdrawn)
        #expect(try await desk.outcome(of: 2) == FreedesktopPresenter.withdrawn)
        try await portal.removals.first(1)
    }

    /// Without a removal, the former content would stay on the screen.
    @Test func `a list-only notification removes a post that portal version 1 has not answered`()
        async throws
    {
        let (portal, desk) = try await unansweredTea()
        var quiet = try Samples.presentation("tea", token: 2, options: .list)
        quiet.isForListOnly = true
        desk.presenter.post([quiet])
        #expect(try await desk.outcome(of: 2) == .deliveredSilently)
        await portal.release()
        #expect(try await desk.outcome(of: 1) == FreedesktopPresenter.withdrawn)
        try await portal.removals.first("the removal") { $0 == "org.example.App/tea" }
    }
}
