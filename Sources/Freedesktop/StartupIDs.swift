internal import Glibc
internal import NotificationModel

/// Startup ids of our own, for the clicks on an X display whose server tells no activation token.
///
/// A window manager raises a running app's window only for a user action. That action must be later
/// than the last one in the window in front. The click on the popup is that action. The id carries
/// its time to the app as `_TIME` and a number.
///
/// Sources: freedesktop's Startup Notification Protocol 0.1, `_TIME`; EWMH 1.5, `_NET_ACTIVE_WINDOW`
/// and `_NET_WM_USER_TIME`.
struct StartupIDs {
    /// The time of the X server.
    var now: @Sendable () -> UInt32
    /// The number that identifies this program.
    var process: Int32
    private var count: UInt64 = 0

    /// Makes ids; tests give both.
    init(process: Int32 = getpid(), now: @escaping @Sendable () -> UInt32 = Self.serverTime) {
        self.process = process
        self.now = now
    }

    /// The id for the user's latest action.
    mutating func next() -> String {
        count += 1
        // 0 is no time but "now", which managers take for no act at all.
        return "tocsin-\(process)-\(count)_TIME\(max(now(), 1))"
    }

    /// Whether the session's windows are those of an X server on this machine, whose clock is ours.
    ///
    /// A Wayland compositor believes only tokens that it has given.
    static func areUsable(in environment: [String: String]) -> Bool {
        let display = environment["DISPLAY"] ?? ""
        return (display.hasPrefix(":") || display.hasPrefix("unix"))
            && (environment["WAYLAND_DISPLAY"] ?? "").isEmpty
            && environment["XDG_SESSION_TYPE"] != "wayland"
    }

    /// Milliseconds of the clock that X servers of Linux take, in the 32 bits of X's `Time`.
    ///
    /// Of the coarse one as they do: the finer one is ahead of it, and X ignores what is to happen
    /// later than now. Source: https://gitlab.freedesktop.org/xorg/xserver os/utils.c,
    /// GetTimeInMillis.
    static func serverTime() -> UInt32 {
        UInt32(truncatingIfNeeded: timespec.now(on: CLOCK_MONOTONIC_COARSE).microseconds / 1_000)
    }
}
