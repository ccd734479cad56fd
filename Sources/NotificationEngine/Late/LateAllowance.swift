import NotificationModel

/// How many late notifications of an app become popups of their own, so that nobody comes back to
/// a storm; pure.
struct LateAllowance: Hashable {
    /// What is later than this counts as late, in microseconds.
    static let threshold: Int64 = 60_000_000
    /// How many late ones of an app are shown one by one within the window.
    static let individually = 10
    /// How long that number counts, in microseconds of the boot-time clock.
    static let window: Int64 = 600_000_000

    private struct Window: Hashable {
        var start: Int64
        var shown: Int
    }

    private var windows: [ApplicationID: Window] = [:]

    /// Whether a notification of this lateness is shown by itself; otherwise it goes into the list
    /// of delivered ones, and the summary names it.
    mutating func admits(_ app: ApplicationID, lateness: Int64, boot: Int64) -> Bool {
        guard lateness > Self.threshold else { return true }
        windows = windows.filter { boot - $0.value.start < Self.window }
        var window = windows[app] ?? Window(start: boot, shown: 0)
        guard window.shown < Self.individually else { return false }
        window.shown += 1
        windows[app] = window
        return true
    }
}
