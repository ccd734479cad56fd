internal import Foundation
internal import Glibc
internal import Logging
internal import NotificationModel

/// How often the daemon has ended right after its start.
///
/// systemd before version 254 starts a service again after the same second for ever; where the reason
/// does not go away, the daemon pauses by itself.
struct QuickEnds: Equatable {
    /// An end sooner than this after the start is quick.
    static let limit: Double = 10
    /// This many quick ends in a row are no accident.
    static let tolerated = 3
    private static let longestPause: Double = 60

    /// How many quick ends there were in a row.
    var count = 0
    /// When the daemon began to work, in seconds of CLOCK_BOOTTIME.
    var start: Double

    /// The first start.
    init(start: Double) {
        self.start = start
    }

    /// What a file says that `text` wrote; nil for any other.
    init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let count = Int(words[0]), (0...1_000_000).contains(count),
            let start = Double(words[1]), start.isFinite
        else { return nil }
        self.count = count
        self.start = start
    }

    /// What its file says.
    var text: String { "\(count) \(start)" }

    /// The start after one that did not end in order.
    func next(at now: Double) -> QuickEnds {
        var next = QuickEnds(start: now)
        // A time before the start is that of another boot.
        next.count = (start...(start + Self.limit)).contains(now) ? count + 1 : 0
        return next
    }

    /// How long the daemon waits before it opens its store, in seconds; nil for not at all.
    var pause: Double? {
        guard count >= Self.tolerated else { return nil }
        return min(Self.longestPause, Double(1 << min(count, 10)))
    }
}

/// The file in which the daemon of one session counts its quick ends.
///
/// It exists only while a daemon that systemd started runs, or after such a daemon did not end in
/// order; nothing else starts a daemon again by itself.
struct QuickEndsFile {
    private let path: String

    /// Nil where systemd does not run this process (systemd.exec(5), `SYSTEMD_EXEC_PID`).
    init?(environment: [String: String]) {
        guard environment["SYSTEMD_EXEC_PID"] == String(getpid()),
            let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/")
        else { return nil }
        path = directory + "/tocsind.starts"
    }

    /// The start of this process.
    func read() -> QuickEnds {
        let now = Self.now()
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let former = QuickEnds(text: text)
        else { return QuickEnds(start: now) }
        return former.next(at: now)
    }

    /// Counts from now on: a pause is over.
    func write(_ ends: QuickEnds) {
        var ends = ends
        ends.start = Self.now()
        do {
            try Data(ends.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            Log.daemon.debug("quick ends are not counted: \(error)")
        }
    }

    /// The daemon has ended in order.
    func remove() { unlink(path) }

    private static func now() -> Double {
        let time = timespec.now(on: CLOCK_BOOTTIME)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
