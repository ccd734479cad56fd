import CLinux
import Glibc

/// The watched descriptors of one reactor, and the descriptor that wakes the reactor up.
struct WatchTable {
    let wake: Int32
    private var entries: [WatchEntry] = []

    init(wake: Int32) {
        self.wake = wake
    }

    mutating func add(_ entry: WatchEntry) {
        entries.append(entry)
    }

    mutating func remove(_ entry: WatchEntry) {
        entry.handler = nil
        entries.removeAll { $0 === entry }
    }

    mutating func removeAll() {
        for entry in entries { entry.handler = nil }
        entries = []
    }

    /// Waits for events up to a timeout; nil waits for ever.
    func wait(
        nanoseconds: Int64?
    ) -> (woken: Bool, ready: [(entry: WatchEntry, events: Int16)]) {
        var slots = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)] + entries.map(Self.slot)
        let count = clinux_poll(&slots, UInt(slots.count), nanoseconds ?? -1)
        // After a timeout, or a failure such as EINTR, the next turn of the loop polls again.
        guard count > 0 else { return (false, []) }
        let ready = zip(entries, slots.dropFirst().map(\.revents)).filter { $1 != 0 }
        return (slots[0].revents != 0, ready.map { (entry: $0, events: $1) })
    }

    // A paused watch gets a negative descriptor, which poll(2) skips. For its real descriptor,
    // poll(2) would report hang-ups for ever.
    private static func slot(for entry: WatchEntry) -> pollfd {
        let descriptor = entry.events.isEmpty ? -1 : entry.descriptor
        return pollfd(fd: descriptor, events: entry.events.rawValue, revents: 0)
    }
}
