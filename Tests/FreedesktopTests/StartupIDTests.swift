import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import Freedesktop

/// The startup id for an app when the server sends no activation token with a click.
@Suite(.timeLimit(.minutes(2)))
struct StartupIDTests {
    @Test func `a startup id ends with the time of the click, and no id is given twice`() {
        let clock = Recording<UInt32>()
        clock.append(41)
        var ids = StartupIDs(process: 7) { clock.all.last ?? 0 }
        #expect(ids.next() == "tocsin-7-1_TIME41")
        clock.append(.max)
        #expect(ids.next() == "tocsin-7-2_TIME4294967295")
        clock.append(0)
        #expect(ids.next() == "tocsin-7-3_TIME1")
    }

    /// An X server ignores an event whose time is ahead of its own clock.
    @Test func `the time of a startup id is the time of an X server on this machine`() {
        let before = Self.coarseMilliseconds()
        let time = StartupIDs.serverTime()
        let after = Self.coarseMilliseconds()
        #expect(time &- before <= after &- before)
    }

    private static func coarseMilliseconds() -> UInt32 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt32(truncatingIfNeeded: time.tv_sec * 1_000 + time.tv_nsec / 1_000_000)
    }

    @Test(arguments: [
        (["DISPLAY": ":0"], true),
        (["DISPLAY": ":0", "XDG_SESSION_TYPE": "x11"], true),
        (["DISPLAY": "unix:0"], true),
        (["DISPLAY": ":0", "WAYLAND_DISPLAY": ""], true),
        ([:], false),
        (["DISPLAY": ""], false),
        // The X server of another machine has another clock.
        (["DISPLAY": "localhost:10.0"], false),
        (["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"], false),
        (["DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"], false),
    ])
    func `startup ids are used only with an X server on this machine`(
        _ environment: [String: String], _ isUsable: Bool
    ) {
        #expect(StartupIDs.areUsable(in: environment) == isUsable)
    }

    @Test func `on an X display a click without a token gets a startup id`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus, script: ServerScript())
        let stage = try await Stage.raised(on: bus, session: ["DISPLAY": ":9"])
        try await stage.present("one")
        let id = try await stage.shown(1)
        try await server.click(id, "default")
        try await stage.wait(
            for: .response("one", .standard, token: "tocsin-7-1_TIME4294967295"))
    }

    @Test func `the server's token takes precedence over a startup id`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus, script: .gnome46)
        let stage = try await Stage.raised(on: bus, session: ["DISPLAY": ":9"])
        try await stage.present("one")
        let id = try await stage.shown(1)
        try await server.click(id, "default")
        try await stage.wait(for: .response("one", .standard, token: "token-1"))
    }
}
