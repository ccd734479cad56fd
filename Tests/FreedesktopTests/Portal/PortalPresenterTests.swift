import DesktopBus
import Foundation
import Freedesktop
import Glibc
import NotificationModel
import TestSupport
import Testing

/// The presenter of sandboxed apps against a scripted portal.
@Suite(.timeLimit(.minutes(2)))
struct PortalPresenterTests {
    private let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    /// A started presenter, and its reports.
    struct Desk {
        let presenter: PortalPresenter
        let connection: BusConnection
        let reports = Recording<Report>()

        init(on bus: PrivateBus, timeouts: ServerTimeouts = ServerTimeouts()) async throws {
            connection = try await BusConnection.open(on: bus, name: "presenter")
            presenter = PortalPresenter(connection: connection, timeouts: timeouts)
            await presenter.start { [reports] in
                if let report = Report($0) { reports.append(report) }
            }
        }

        func present(
            _ identifier: String, token: UInt64 = 1, category: NotificationCategory? = nil,
            content: NotificationContent? = nil
        ) async throws {
            presenter.post([
                try Samples.presentation(
                    identifier, token: token, category: category, content: content)
            ])
        }

        func outcome(of token: UInt64) async throws -> PresentationOutcome {
            let report = try await reports.first("the outcome of \(token)") {
                if case .outcome(token, _) = $0 { true } else { false }
            }
            guard case .outcome(_, let outcome) = report else { throw HarnessError("\(report)") }
            return outcome
        }

        func shown(_ token: UInt64) async throws {
            guard case .presented = try await outcome(of: token) else {
                throw HarnessError("not shown: \(reports.all)")
            }
        }
    }

    @Test func `a click is reported once, as the response to its request`() async throws {
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await Desk(on: bus)
        try await desk.present("tea", category: Samples.category)
        try await desk.shown(1)
        let call = try #require(portal.calls.all.first)
        #expect(call.id == "org.example.App/tea")
        #expect(call.title == "tea")
        try await portal.click(call, "action.archive")
        try await desk.reports.first("the answer") {
            $0 == .response("tea", .custom("archive"), token: nil)
        }
        // Some desktops leave an answered notification on the screen.
        try await portal.removals.first("its end") { $0 == call.id }
        try await portal.click(call, "standard")
        try await desk.present("coffee", token: 2)
        try await desk.shown(2)
        #expect(desk.reports.all.count(where: \.isAboutPopup) == 1)
    }

    @Test func `version 2 of the portal reports a typed reply and its token`() async throws {
        let portal = try await ScriptedPortal.start(on: bus, script: .version2)
        let desk = try await Desk(on: bus)
        try await desk.present("mail", category: Samples.category)
        try await desk.shown(1)
        let call = try #require(portal.calls.all.first)
        #expect(
            call.buttons.contains(
                .init(label: "Answer", action: "action.answer", purpose: "im.reply-with-text")))
        #expect(call.values["category"] == .string("im.received"))
        try await portal.click(
            call, "action.answer",
            parameters: [.vardict([("activation-token", .string("t"))]), .string("yes")])
        try await desk.reports.first("the answer") {
            $0 == .response("mail", .reply("answer", text: "yes"), token: "t")
        }
    }

    @Test func `version 2 gets images and sounds as sealable files, version 1 only image bytes`()
        async throws
    {
        let image = bus.directory + "/picture.png"
        let sound = bus.directory + "/sound.wav"
        let content = try Self.content(image: image, sound: sound)
        let portal = try await ScriptedPortal.start(on: bus, script: .version2)
        let desk = try await Desk(on: bus)
        try await desk.present("two", content: content)
        try await desk.shown(1)
        for (key, bytes) in [("icon", TestPNG.bytes), ("sound", [1, 2, 3])] {
            let file = try #require(portal.calls.all[0].file(key))
            #expect(file.kind == "file-descriptor")
            #expect(try Self.sealedBytes(file.value) == bytes)
        }
        await portal.change { $0 = PortalScript() }
        try await portal.restart()
        // The bus sends this reply after its signal about the portal's new owner.
        _ = try await desk.connection.owner(of: "org.freedesktop.portal.Desktop")
        try await desk.present("one", token: 2, content: content)
        try await desk.shown(2)
        let icon = try #require(portal.calls.all.last?.file("icon"))
        #expect(icon.kind == "bytes")
        #expect(icon.value.bytesValue == TestPNG.bytes)
        #expect(portal.calls.all.last?.values["sound"] == nil)
        // Version 1 carries no sound, so the presenter requests a separate player.
        try await desk.reports.first("the sound") {
            if case .sound("org.example.App", let order) = $0 { order.path == sound } else { false }
        }
    }

    @Test func `a portal that refuses the image gets only the texts`() async throws {
        var script = PortalScript()
        script.failures = .withFiles("org.freedesktop.portal.Error.InvalidArgument")
        let portal = try await ScriptedPortal.start(on: bus, script: script)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await desk.shown(1)
        #expect(portal.calls.all.map { $0.file("icon") == nil } == [false, true])
    }

    @Test func `a post that the portal forbids is refused with the portal's reason`() async throws {
        var script = PortalScript()
        script.failures = .all("org.freedesktop.portal.Error.NotAllowed")
        let portal = try await ScriptedPortal.start(on: bus, script: script)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        #expect(
            try await desk.outcome(of: 1)
                == .refused("org.freedesktop.portal.Error.NotAllowed: not this one"))
        #expect(portal.calls.all.count == 2)
    }

    @Test func `a notification is withdrawn even after the app's restart`() async throws {
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await desk.shown(1)
        desk.presenter.withdraw([try Samples.key("tea"), try Samples.key("never")])
        _ = await desk.presenter.posted.count
        try await portal.removals.first(1)
        let next = try await Desk(on: bus)
        await next.presenter.adopt([
            try Samples.key("old"): PresentedPopup(id: 7, server: "portal")
        ])
        next.presenter.withdraw([try Samples.key("old")])
        _ = await next.presenter.posted.count
        let removals = try await portal.removals.first(2)
        #expect(removals == ["org.example.App/tea", "org.example.App/old"])
    }

    @Test func `a notification withdrawn before the answer is removed after it`() async throws {
        var script = PortalScript()
        script.isMute = true
        let portal = try await ScriptedPortal.start(on: bus, script: script)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await portal.calls.first(1)
        desk.presenter.withdraw([try Samples.key("tea")])
        _ = await desk.presenter.posted.count
        await portal.release()
        #expect(try await desk.outcome(of: 1) == FreedesktopPresenter.withdrawn)
        try await portal.removals.first("its removal") { $0 == "org.example.App/tea" }
    }

    @Test func `a click on a notification that is being replaced does not remove the replacement`()
        async throws
    {
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await desk.shown(1)
        await portal.change { $0.isMute = true }
        try await desk.present("tea", token: 2)
        let call = try await portal.calls.first(2)[0]
        try await portal.click(call, "standard")
        try await desk.reports.first("the response") { $0.isAboutPopup }
        await portal.release()
        try await desk.shown(2)
        // A removal would reach the portal before this post.
        try await desk.present("coffee", token: 3)
        try await desk.shown(3)
        #expect(portal.removals.all.isEmpty)
    }

    /// Without a removal, the former notification would stay on the screen for good.
    @Test func `a notification that left the list is removed if its replacement is refused`()
        async throws
    {
        let (portal, desk) = try await withdrawnReplacement()
        await portal.change { $0.failures = .all("org.freedesktop.portal.Error.NotAllowed") }
        await portal.release()
        guard case .refused = try await desk.outcome(of: 2) else {
            throw HarnessError("not refused: \(desk.reports.all)")
        }
        #expect(try await portal.removals.first(1) == ["org.example.App/tea"])
        #expect(await desk.presenter.posted.isEmpty)
    }

    @Test func `the replacement of a notification that left the list stays on the screen`()
        async throws
    {
        let (portal, desk) = try await withdrawnReplacement()
        await portal.release()
        try await desk.shown(2)
        // A removal would reach the portal before this post.
        try await desk.present("coffee", token: 3)
        try await desk.shown(3)
        #expect(portal.removals.all.isEmpty)
    }

    /// Returns a portal and its presenter; the portal owes the answer to the post of a replacement.
    ///
    /// The replaced notification has left the list.
    private func withdrawnReplacement() async throws -> (ScriptedPortal, Desk) {
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await desk.shown(1)
        await portal.change { $0.isMute = true }
        try await desk.present("tea", token: 2)
        try await portal.calls.first(2)
        desk.presenter.closePopups(of: [try Samples.key("tea")])
        #expect(await desk.presenter.posted.count == 1)
        return (portal, desk)
    }

    @Test func `a notification whose post is unanswered can be clicked and withdrawn`()
        async throws
    {
        var script = PortalScript()
        script.isMute = true
        let portal = try await ScriptedPortal.start(on: bus, script: script)
        var timeouts = ServerTimeouts()
        timeouts.answer = .milliseconds(1)
        let desk = try await Desk(on: bus, timeouts: timeouts)
        try await desk.present("tea")
        #expect(try await desk.outcome(of: 1) == .unanswered)
        try await desk.present("milk", token: 2)
        #expect(try await desk.outcome(of: 2) == .unanswered)
        let call = try await portal.calls.first(2)[0]
        await portal.release()
        try await portal.click(call, "standard")
        try await desk.reports.first("the response") { $0.isAboutPopup }
        desk.presenter.withdraw([try Samples.key("milk")])
        try await portal.removals.first("its removal") { $0 == "org.example.App/milk" }
    }

    @Test func `a withdrawn notification whose call fails is removed`() async throws {
        var script = PortalScript()
        script.isMute = true
        // The portal sends this error if the desktop behind it does not answer in time.
        script.failures = .all("org.freedesktop.DBus.Error.NoReply")
        let portal = try await ScriptedPortal.start(on: bus, script: script)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await portal.calls.first(1)
        desk.presenter.withdraw([try Samples.key("tea")])
        _ = await desk.presenter.posted.count
        await portal.release()
        #expect(try await desk.outcome(of: 1) == FreedesktopPresenter.withdrawn)
        try await portal.removals.first("its removal") { $0 == "org.example.App/tea" }
    }

    @Test func `a post to a portal that dies is interrupted, and the next portal gets posts`()
        async throws
    {
        var script = PortalScript()
        script.isMute = true
        let portal = try await ScriptedPortal.start(on: bus, script: script)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await portal.calls.first(1)
        await portal.stop()
        #expect(try await desk.outcome(of: 1) == .interrupted)
        try await desk.reports.first("its end") { $0 == .unavailable }
        await portal.change { $0.isMute = false }
        try await portal.start()
        try await desk.reports.wait(for: "its return") {
            $0.count { $0 == .available } == 2
        }
        try await desk.present("tea", token: 2)
        try await desk.shown(2)
    }

    @Test func `without a portal a post is unavailable, and a portal that starts is reported`()
        async throws
    {
        let desk = try await Desk(on: bus)
        try await desk.reports.first("the missing portal") { $0 == .unavailable }
        try await desk.present("tea")
        #expect(try await desk.outcome(of: 1) == .unavailable)
        #expect(await !desk.presenter.status().isAvailable)
        let portal = try await ScriptedPortal.start(on: bus, script: .version2)
        try await desk.reports.first("the new portal") { $0 == .available }
        let status = await desk.presenter.status()
        #expect(status.isPortal && status.isAvailable)
        #expect(status.version == "2")
        #expect(
            status.capabilities == [
                "actions", "body", "body-markup", "icon-static", "inline-reply", "sound",
            ])
        await portal.stop()
    }

    @Test func `signals of other senders and for other notifications are ignored`() async throws {
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await Desk(on: bus)
        try await desk.present("tea", category: Samples.category)
        try await desk.shown(1)
        let liar = try await BusConnection.open(on: bus, name: "liar")
        try await liar.emit(
            path: "/org/freedesktop/portal/desktop",
            interface: "org.freedesktop.portal.Notification",
            member: "ActionInvoked",
            arguments: [
                .string("org.example.App/tea"), .string("action.delete"),
                .array(element: "v", []),
            ])
        // The bus has passed the signal on when it answers this call.
        _ = try await liar.call(.toBus("GetId"))
        try await portal.emit("org.example.App/other", "standard")
        try await portal.emit("org.example.App/tea", "app.quit")
        let call = try #require(portal.calls.all.first)
        try await portal.click(call, "standard")
        try await desk.reports.first("the answer") { $0.isAboutPopup }
        #expect(
            desk.reports.all.filter(\.isAboutPopup) == [.response("tea", .standard, token: nil)])
    }

    @Test func `only version 2 of the portal gets a list-only notification`() async throws {
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await Desk(on: bus)
        try await desk.present("tea")
        try await desk.shown(1)
        var quiet = try Samples.presentation("tea", token: 2, options: .list)
        quiet.isForListOnly = true
        desk.presenter.post([quiet])
        #expect(try await desk.outcome(of: 2) == .deliveredSilently)
        // The replaced notification must not stay with its former text.
        try await portal.removals.first("its end") { $0 == "org.example.App/tea" }
        await portal.change { $0 = .version2 }
        try await portal.restart()
        // The bus sends this reply after its signal about the portal's new owner.
        _ = try await desk.connection.owner(of: "org.freedesktop.portal.Desktop")
        quiet.token = 3
        desk.presenter.post([quiet])
        try await desk.shown(3)
        #expect(portal.calls.all.last?.values["display-hint"] == .strings(["tray"]))
    }

    @Test func `a sound-only notification does not reach the portal`() async throws {
        let portal = try await ScriptedPortal.start(on: bus)
        let desk = try await Desk(on: bus)
        var heard = try Samples.presentation("tea", options: .sound)
        heard.isForSoundOnly = true
        desk.presenter.post([heard])
        #expect(try await desk.outcome(of: 1) == .withoutPopup)
        #expect(portal.calls.all.isEmpty)
    }

    // MARK: Files

    private static func content(image: String, sound: String) throws -> NotificationContent {
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        try Data([1, 2, 3]).write(to: URL(filePath: sound))
        return NotificationContent.with {
            $0.sound = NotificationSound(.named(sound))
            $0.attachments = [
                NotificationAttachment(identifier: "p", path: image, type: "public.png")
            ]
        }
    }

    /// Seals the file and then reads it, as the portal does.
    private static func sealedBytes(_ value: BusValue) throws -> [UInt8] {
        let descriptor = try #require(value.descriptorValue)
        return descriptor.withDescriptor { number in
            #expect(fcntl(number, 1_033, 0x1 | 0x2 | 0x4 | 0x8) == 0, "F_ADD_SEALS")
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(number, &bytes, bytes.count)
            return Array(bytes.prefix(max(0, count)))
        }
    }
}
