internal import Glibc

/// The file watches of one reactor, all in one inotify(7) instance.
///
/// A user may have only 128 instances. So the table opens its instance for the first watch and
/// closes the instance after the last watch. If no instance or watch is free, the table tries the
/// watch again later.
///
/// A released watch gets no further event, not even the `ended` that its own removal causes.
final class PathWatchTable {
    private static let firstPause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(64)
    /// The system's errors when a user has no instance or watch left; a retry may succeed.
    private static let passing: Set<Int32> = [EMFILE, ENFILE, ENOSPC, ENOMEM]

    private unowned let reactor: Reactor
    private var descriptor: Int32 = -1
    private var input: DescriptorWatch?
    /// The entries by watch descriptor; all entries of one file have the same descriptor.
    private var entries: [Int32: [PathWatchEntry]] = [:]
    private var waiting: [PathWatchEntry] = []
    private var pause = PathWatchTable.firstPause
    private var nextTry: Deadline?

    init(reactor: Reactor) {
        self.reactor = reactor
    }

    var isOpen: Bool { descriptor >= 0 }

    func add(_ entry: PathWatchEntry) throws(SystemFailure) {
        do throws(SystemFailure) {
            try follow(entry)
        } catch {
            guard Self.passing.contains(error.code) else {
                closeIfUnused()
                throw error
            }
            waiting.append(entry)
            tryLater()
        }
    }

    func remove(_ entry: PathWatchEntry) {
        // Keep the handler alive until this function returns. Releasing the handler may remove the
        // entry again, because the handler may hold its own watch.
        let handler = entry.handler
        defer { withExtendedLifetime(handler) {} }
        entry.handler = nil
        waiting.removeAll { $0 === entry }
        if entry.isFollowing {
            let number = entry.number
            entry.number = -1
            entries[number]?.removeAll { $0 === entry }
            if entries[number]?.isEmpty == true {
                entries[number] = nil
                // The system does not reuse this number, so no later entry gets an old event that
                // still waits under this number.
                inotify_rm_watch(descriptor, number)
            }
        }
        closeIfUnused()
    }

    func removeAll() {
        for entry in waiting + entries.values.joined() { remove(entry) }
    }

    private func follow(_ entry: PathWatchEntry) throws(SystemFailure) {
        if !isOpen {
            descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard descriptor >= 0 else { throw SystemFailure(code: errno) }
            input = reactor.watch(descriptor, for: .readable) { [weak self] _ in self?.read() }
        }
        // Use IN_MASK_ADD, because another entry may watch the same file for other events.
        let only = UInt32(IN_MASK_ADD | (entry.isFolder ? IN_ONLYDIR : 0))
        let number = inotify_add_watch(descriptor, entry.path, entry.events.rawValue | only)
        guard number >= 0 else { throw SystemFailure(code: errno) }
        entry.number = number
        entries[number, default: []].append(entry)
    }

    private func closeIfUnused() {
        if waiting.isEmpty {
            nextTry?.cancel()
            nextTry = nil
            pause = Self.firstPause
        }
        guard entries.isEmpty, isOpen else { return }
        input?.cancel()
        input = nil
        close(descriptor)
        descriptor = -1
    }

    // MARK: While no instance is free

    private func tryLater() {
        guard nextTry == nil else { return }
        nextTry = reactor.deadline(after: pause) { [weak self] in self?.tryAgain() }
        pause = min(pause * 2, Self.longestPause)
    }

    private func tryAgain() {
        nextTry = nil
        var found: [PathWatchEntry] = []
        while let entry = waiting.first {
            do throws(SystemFailure) {
                try follow(entry)
                entry.happened = .missed
            } catch {
                guard !Self.passing.contains(error.code) else { break }
                entry.happened = [.missed, .ended]
            }
            found.append(waiting.removeFirst())
        }
        closeIfUnused()
        if !waiting.isEmpty { tryLater() }
        handOver(to: found)
    }

    // MARK: Reading

    /// Reports one buffer of events; the rest wait for the next turn of the reactor's loop.
    private func read() {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return }
        var found: [PathWatchEntry] = []
        for event in Self.events(buffer.prefix(count)) {
            for entry in receivers(of: event) {
                let events = event.happened.intersection(entry.events.union([.ended, .missed]))
                guard !events.isEmpty else { continue }
                if entry.happened.isEmpty { found.append(entry) }
                entry.happened.formUnion(events)
            }
            if event.happened.contains(.ended) {
                for entry in entries.removeValue(forKey: event.number) ?? [] { entry.number = -1 }
            }
        }
        closeIfUnused()
        handOver(to: found)
    }

    private func handOver(to found: [PathWatchEntry]) {
        for entry in found {
            let events = entry.happened
            entry.happened = []
            // An earlier handler may have released this watch.
            entry.handler?(events)
        }
    }

    private func receivers(of event: (number: Int32, happened: PathEvents)) -> [PathWatchEntry] {
        event.happened.contains(.missed)
            ? Array(entries.values.joined()) : entries[event.number] ?? []
    }

    private static func events(
        _ bytes: ArraySlice<UInt8>
    ) -> [(number: Int32, happened: PathEvents)] {
        bytes.withUnsafeBytes { bytes in
            var events: [(number: Int32, happened: PathEvents)] = []
            var start = 0
            while start + MemoryLayout<inotify_event>.size <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                events.append((event.wd, PathEvents(rawValue: event.mask)))
                start += MemoryLayout<inotify_event>.size + Int(event.len)
            }
            return events
        }
    }
}
