import CLinux
import Glibc

/// The watched descriptors in the form poll(2) takes; the first slot is the wake-up descriptor.
struct WatchTable {
    private var slots: [pollfd]
    private var entries: [WatchEntry] = []

    init(wake: Int32) {
        slots = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
    }

    mutating func add(_ entry: WatchEntry) {
        entry.index = entries.count
        entries.append(entry)
        slots.append(Self.slot(for: entry))
    }

    mutating func update(_ entry: WatchEntry) {
        guard entry.index >= 0 else { return }
        slots[entry.index + 1] = Self.slot(for: entry)
    }

    mutating func remove(_ entry: WatchEntry) {
        let index = entry.index
        guard index >= 0 else { return }
        entry.index = -1
        entry.handler = nil
        let last = entries.removeLast()
        let lastSlot = slots.removeLast()
        if last !== entry {
            entries[index] = last
            slots[index + 1] = lastSlot
            last.index = index
        }
    }

    mutating func removeAll() {
        while let entry = entries.last { remove(entry) }
    }

    /// Waits for events, at most so long; a nil timeout waits for ever.
    mutating func wait(nanoseconds: Int64?) -> (woken: Bool, ready: [Ready]) {
        let count = slots.withUnsafeMutableBufferPointer { slots in
            clinux_poll(slots.baseAddress, UInt(slots.count), nanoseconds ?? -1)
        }
        // Only EINTR is left as a failure: the next turn asks again.
        guard count > 0 else { return (false, []) }
        var ready: [Ready] = []
        for index in entries.indices where slots[index + 1].revents != 0 {
            ready.append(Ready(entry: entries[index], events: slots[index + 1].revents))
        }
        return (slots[0].revents != 0, ready)
    }

    // A slot without wanted events would still report hang-ups, for ever: poll(2) skips negatives.
    private static func slot(for entry: WatchEntry) -> pollfd {
        let descriptor = entry.events.isEmpty ? -1 : entry.descriptor
        return pollfd(fd: descriptor, events: entry.events.rawValue, revents: 0)
    }
}

/// One descriptor with something to handle.
struct Ready {
    let entry: WatchEntry
    let events: Int16
}
