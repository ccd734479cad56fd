internal import Foundation
internal import Glibc
internal import Logging
internal import NotificationModel
internal import Reactor

/// Watches `/etc`, where the person's zone is named, and the folders of tzdata (inotify(7)).
///
/// On the reactor's thread only, which `Reactor` checks. Folders and not files, because files and
/// links are exchanged. A person has 128 inotify instances, which other programs may use up: then it
/// is tried again, and until then a change is not seen.
final class ZoneFileWatch {
    /// An upgrade of tzdata exchanges hundreds of files: they are read when no more come.
    private static let quietTime: Duration = .seconds(1)
    private static let mask = UInt32(IN_MOVED_TO | IN_CREATE | IN_CLOSE_WRITE | IN_ONLYDIR)
    private static let longestPause: Duration = .seconds(64)

    private let reactor: Reactor
    private let folders: [String]
    private let watchesEtc: Bool
    private let report: (ClockEvent) -> Void
    private var changes: Int32 = -1
    private var etc: Int32 = -1
    private var watch: DescriptorWatch?
    private var pause: Deadline?

    /// Starts to watch; `report` is told what may have changed.
    init(
        zone: LocalTimeZone, folders: [String], reactor: Reactor,
        report: @escaping (ClockEvent) -> Void
    ) {
        self.reactor = reactor
        self.folders = folders
        self.report = report
        watchesEtc = !zone.isFixed
        guard !open() else { return }
        Log.engine.warning(
            "no inotify instance is free; a change of the time zone is not seen until one is")
        tryAgain(after: .seconds(1))
    }

    deinit {
        // In this order on the reactor's thread: poll must not meet a closed descriptor.
        watch = nil
        pause = nil
        let descriptor = changes
        if descriptor >= 0 { reactor.perform { close(descriptor) } }
    }

    private func open() -> Bool {
        changes = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard changes >= 0 else { return false }
        if watchesEtc { etc = inotify_add_watch(changes, "/etc", Self.mask) }
        for folder in folders { add(folder) }
        watch = reactor.watch(changes, for: .readable) { [weak self] _ in self?.read() }
        return true
    }

    private func tryAgain(after duration: Duration) {
        pause = reactor.deadline(after: duration) { [weak self] in
            guard let self else { return }
            guard open() else { return tryAgain(after: min(duration * 2, Self.longestPause)) }
            // What happened meanwhile.
            report(.timeZoneChanged)
            report(.zoneDataChanged)
        }
    }

    /// Watches a folder and those in it, such as `Europe`; what is no folder is refused.
    private func add(_ folder: String) {
        guard inotify_add_watch(changes, folder, Self.mask) >= 0 else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Two more copies of everything (tzselect(8), "Files").
        for name in names where name != "posix" && name != "right" {
            _ = inotify_add_watch(changes, folder + "/" + name, Self.mask)
        }
    }

    private func read() {
        var hasEtc = false
        var hasOthers = false
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while case let count = Glibc.read(changes, &buffer, buffer.count), count > 0 {
            // struct inotify_event: int wd, three words of which the last is the length of a name.
            var start = 0
            while start + 16 <= count {
                let folder = Self.word(buffer, at: start)
                if folder == etc { hasEtc = true } else { hasOthers = true }
                start += 16 + Int(Self.word(buffer, at: start + 12))
            }
        }
        if hasEtc { report(.timeZoneChanged) }
        guard hasOthers else { return }
        pause?.cancel()
        pause = reactor.deadline(after: Self.quietTime) { [weak self] in
            self?.report(.zoneDataChanged)
        }
    }

    private static func word(_ bytes: [UInt8], at index: Int) -> Int32 {
        let value = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << ($1 * 8) }
        return Int32(bitPattern: value)
    }
}
