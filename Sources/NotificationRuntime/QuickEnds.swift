internal import Foundation
internal import Glibc
internal import Logging
internal import NotificationModel

/// How often the daemon has ended right after its start.
///
/// Before version 254, systemd always restarts a service after the same short pause, without end.
/// A daemon that keeps ending therefore waits before it opens its store.
struct QuickEnds: Equatable {
    /// An end is quick if at most this many seconds lie between one start and the next start.
    static let limit: Double = 10
    /// With this many quick ends in a row, the daemon waits before it opens its store.
    static let tolerated = 3
    private static let longestPause: Double = 60

    var count = 0
    /// When the daemon began to work, in seconds of CLOCK_BOOTTIME.
    var start: Double

    init(start: Double) {
        self.start = start
    }

    /// Parses the text that `text` returned earlier; the result is nil for any other text.
    init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let count = Int(words[0]), (0...1_000_000).contains(count),
            let start = Double(words[1]), start.isFinite
        else { return nil }
        self.count = count
        self.start = start
    }

    var text: String { "\(count) \(start)" }

    /// The record of a start that follows an unclean end.
    func next(at now: Double) -> QuickEnds {
        var next = QuickEnds(start: now)
        // If `now` is before the recorded start, that start was in an earlier boot.
        next.count = (start...(start + Self.limit)).contains(now) ? count + 1 : 0
        return next
    }

    /// How long the daemon waits before it opens its store, in seconds; nil if the daemon need not
    /// wait.
    var pause: Double? {
        guard count >= Self.tolerated else { return nil }
        return min(Self.longestPause, Double(1 << min(count, 10)))
    }
}

/// The file in which the daemon of one session counts its quick ends.
///
/// The file exists only while a daemon under systemd runs, or after such a daemon ended uncleanly.
/// Other daemons have no file, because nothing restarts them.
struct QuickEndsFile {
    private let path: String

    /// The result is nil if systemd does not run this process (systemd.exec(5),
    /// `SYSTEMD_EXEC_PID`).
    init?(environment: [String: String]) {
        guard environment["SYSTEMD_EXEC_PID"] == String(getpid()),
            let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/")
        else { return nil }
        path = directory + "/tocsind.starts"
    }

    /// This start, with the count of quick ends before it.
    func read() -> QuickEnds {
        let now = Self.now()
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let former = QuickEnds(text: text)
        else { return QuickEnds(start: now) }
        return former.next(at: now)
    }

    /// Stores the count, with the current time as the start.
    ///
    /// `ends.start` may be too early, because the daemon may have waited before it began to work.
    func write(_ ends: QuickEnds) {
        var ends = ends
        ends.start = Self.now()
        do {
            try Data(ends.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            Log.daemon.debug("quick ends are not counted: \(error)")
        }
    }

    func remove() { unlink(path) }

    private static func now() -> Double {
        let time = timespec.now(on: CLOCK_BOOTTIME)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
