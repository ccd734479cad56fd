internal import Glibc
internal import NotificationModel

/// Our own startup ids, for clicks on X displays if the notification server sends no activation
/// token.
///
/// A window manager compares the time of the click with the user's last action in the front window.
/// It raises the app's window only if the click is later. So the id ends with `_TIME` and the time
/// of the click.
///
/// Sources: freedesktop's Startup Notification Protocol 0.1, `_TIME`; EWMH 1.5,
/// `_NET_ACTIVE_WINDOW` and `_NET_WM_USER_TIME`.
struct StartupIDs {
    /// The time of the X server, in milliseconds.
    var now: @Sendable () -> UInt32
    var process: Int32
    private var count: UInt64 = 0

    /// Makes ids; tests pass both values.
    init(process: Int32 = getpid(), now: @escaping @Sendable () -> UInt32 = Self.serverTime) {
        self.process = process
        self.now = now
    }

    mutating func next() -> String {
        count += 1
        // To a window manager, the time 0 means that there was no user action.
        return "tocsin-\(process)-\(count)_TIME\(max(now(), 1))"
    }

    /// Whether the session's windows belong to an X server on this machine; such a server uses our
    /// clock.
    ///
    /// A Wayland compositor accepts only its own tokens.
    static func areUsable(in environment: [String: String]) -> Bool {
        let display = environment["DISPLAY"] ?? ""
        return (display.hasPrefix(":") || display.hasPrefix("unix"))
            && (environment["WAYLAND_DISPLAY"] ?? "").isEmpty
            && environment["XDG_SESSION_TYPE"] != "wayland"
    }

    /// The time of X servers on Linux in milliseconds, in the 32 bits of X's `Time`.
    ///
    /// It reads the coarse clock, as X servers do. The finer clock is ahead, and X ignores a time
    /// in the future. Source: https://gitlab.freedesktop.org/xorg/xserver os/utils.c,
    /// GetTimeInMillis.
    static func serverTime() -> UInt32 {
        UInt32(truncatingIfNeeded: timespec.now(on: CLOCK_MONOTONIC_COARSE).microseconds / 1_000)
    }
}
