import Foundation
import Glibc
import Reactor
import TestSupport
import Testing

/// Watches of files and folders; all watches of a reactor share one inotify instance.
@Suite(.timeLimit(.minutes(2))) struct PathWatchTests {
    @Test func `if one of two watches of a folder ends, the other watch still reports its events`()
        async throws
    {
        try await withFolder { folder, reactor in
            let (made, gone) = (Events(), Events())
            let watches = Holder<[PathWatch]>()
            await onReactor(reactor) {
                watches.value = [
                    made.watch(folder, .created, on: reactor),
                    gone.watch(folder, .deleted, on: reactor),
                ].compactMap(\.self)
            }
            make("\(folder)/one")
            await made.wait(for: .created)
            #expect(made.all == [.created])
            await onReactor(reactor) { watches.value?.removeFirst() }
            unlink("\(folder)/one")
            await gone.wait(for: .deleted)
            #expect(made.all == [.created])
            #expect(gone.all == [.deleted])
        }
    }

    @Test func `the inotify instance is closed with the last watch, and opened for the next watch`()
        async throws
    {
        try await withFolder { folder, reactor in
            let events = Events()
            let watches = Holder<[PathWatch]>()
            await onReactor(reactor) {
                #expect(!reactor.hasPathWatches)
                watches.value = (0..<2).compactMap { _ in
                    events.watch(folder, .created, on: reactor)
                }
                watches.value?.removeFirst()
                #expect(reactor.hasPathWatches)
                watches.value = []
                #expect(!reactor.hasPathWatches)
                #expect(throws: SystemFailure(code: ENOENT)) {
                    try reactor.watch(folder: "\(folder)/none", for: .created) { _ in }
                }
                #expect(!reactor.hasPathWatches)
                watches.value = [events.watch(folder, .created, on: reactor)].compactMap(\.self)
            }
            make("\(folder)/one")
            await events.wait(for: .created)
        }
    }

    @Test func `a new watch of a folder gets no event of the watch that it replaces`() async throws
    {
        try await withFolder { folder, reactor in
            let (first, second, other) = (Events(), Events(), Events())
            let watches = Holder<[PathWatch?]>()
            await onReactor(reactor) {
                // The watch of "/" keeps the instance open, with its unread events.
                watches.value = [
                    other.watch("/", .created, on: reactor),
                    first.watch(folder, .created, on: reactor),
                ]
                make("\(folder)/unheard")
                watches.value?[1]?.cancel()
                watches.value?[1] = second.watch(folder, .deleted, on: reactor)
            }
            unlink("\(folder)/unheard")
            await second.wait(for: .deleted)
            #expect(first.all.isEmpty)
            #expect(second.all == [.deleted])
        }
    }

    @Test func `a watch of a file ends when another file is renamed over it`() async throws {
        try await withFolder { folder, reactor in
            make("\(folder)/file")
            let (old, new) = (Events(), Events())
            let watch = Holder<PathWatch>()
            await onReactor(reactor) {
                watch.value = old.watch(file: "\(folder)/file", .written, on: reactor)
            }
            make("\(folder)/next")
            rename("\(folder)/next", "\(folder)/file")
            await old.wait(for: .ended)
            await onReactor(reactor) {
                #expect(watch.value?.isFollowing == false)
                watch.value = new.watch(file: "\(folder)/file", .written, on: reactor)
            }
            make("\(folder)/file")
            await new.wait(for: .written)
            #expect(old.all == [.ended])
        }
    }

    @Test func `a watch that is released on another thread ends`() async throws {
        try await withFolder { folder, reactor in
            let (released, kept) = (Events(), Events())
            let watches = (Holder<PathWatch>(), Holder<PathWatch>())
            await onReactor(reactor) {
                watches.0.value = released.watch(folder, .created, on: reactor)
                watches.1.value = kept.watch(folder, .created, on: reactor)
            }
            watches.0.value = nil
            await settle(reactor)
            make("\(folder)/one")
            await kept.wait(for: .created)
            #expect(released.all.isEmpty)
            watches.1.value = nil
            await onReactor(reactor) { #expect(!reactor.hasPathWatches) }
        }
    }

    @Test func `if a handler ends a later watch, that watch does not get the same event`()
        async throws
    {
        try await withFolder { folder, reactor in
            let (first, second) = (Events(), Events())
            let watches = Holder<[PathWatch?]>()
            await onReactor(reactor) {
                let ending = try? reactor.watch(folder: folder, for: .created) { events in
                    watches.value?[1] = nil
                    first.append(events)
                }
                watches.value = [ending, second.watch(folder, .created, on: reactor)]
            }
            make("\(folder)/one")
            await first.wait(for: .created)
            await settle(reactor)
            #expect(second.all.isEmpty)
        }
    }

    @Test func `every watch reports when the system drops events`() async throws {
        let limit = try String(
            contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        try await withFolder { folder, reactor in
            mkdir("\(folder)/quiet", 0o700)
            let (busy, quiet) = (Events(), Events())
            let watches = Holder<[PathWatch?]>()
            await onReactor(reactor) {
                watches.value = [
                    busy.watch(folder, [.created, .deleted], on: reactor),
                    quiet.watch("\(folder)/quiet", .created, on: reactor),
                ]
                // The reactor's thread runs this loop, so it reads no event before the loop ends.
                for _ in 0...count / 2 {
                    make("\(folder)/one")
                    unlink("\(folder)/one")
                }
            }
            await quiet.wait(for: .missed)
            await busy.wait(for: .missed)
            #expect(quiet.all == [.missed])
        }
    }

    @Test
    func `a stopped reactor has no inotify instance, and a watch may be released after the stop`()
        async
    {
        let reactor = Reactor.hosted("paths")
        let watch = Holder<PathWatch>()
        reactor.perform {
            watch.value = Events().watch("/", .created, on: reactor)
            #expect(reactor.hasPathWatches)
            reactor.stop()
        }
        reactor.run()
        #expect(!reactor.hasPathWatches)
        watch.value = nil
        await settle(reactor)
    }

    // Removing the watch releases its handler and so the watch, which removes itself a second time.
    // Inside the first removal, this would end the process, because Swift checks exclusive access.
    @Test func `when a reactor stops, it removes a watch whose only owner is the watch's handler`()
    {
        let reactor = Reactor.hosted("paths")
        reactor.perform {
            let own = Holder<PathWatch>()
            own.value = try? reactor.watch(folder: "/", for: .created) { _ in own.value = nil }
            #expect(reactor.hasPathWatches)
            reactor.stop()
        }
        reactor.run()
        #expect(!reactor.hasPathWatches)
    }

    /// A child process runs out of descriptors, so inotify refuses an instance.
    ///
    /// The test does not use up the user's inotify instances, because other programs need them.
    @Test
    func `a watch without a free inotify instance starts later and reports missed events`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withFolder { folder, reactor in
                let (first, gone) = (Events(), Events())
                let watches = Holder<[PathWatch?]>()
                await onReactor(reactor) {
                    make("\(folder)/file")
                    let all = useUpDescriptors()
                    watches.value = [
                        first.watch(folder, .created, on: reactor),
                        gone.watch(file: "\(folder)/file", .written, on: reactor),
                    ]
                    #expect(watches.value?.map { $0?.isFollowing } == [false, false])
                    for descriptor in all { close(descriptor) }
                    unlink("\(folder)/file")
                }
                await gone.wait(for: .ended)
                #expect(first.all == [.missed])
                await onReactor(reactor) {
                    #expect(watches.value?.map { $0?.isFollowing } == [true, false])
                }
                make("\(folder)/one")
                await first.wait(for: .created)
            }
        }
    }
}

/// The events that a watch has reported.
private final class Events: Sendable {
    private let changes = AsyncStream.makeStream(of: Void.self)
    private let told = Locked<[PathEvents]>([])

    var all: [PathEvents] { told.withLock { $0 } }

    func append(_ events: PathEvents) {
        told.withLock { $0.append(events) }
        changes.continuation.yield()
    }

    /// Returns when the watch has reported this event.
    func wait(for event: PathEvents) async {
        var iterator = changes.stream.makeAsyncIterator()
        while !all.contains(where: { $0.contains(event) }) { await iterator.next() }
    }

    func watch(_ folder: String, _ events: PathEvents, on reactor: Reactor) -> PathWatch? {
        try? reactor.watch(folder: folder, for: events) { self.append($0) }
    }

    func watch(file: String, _ events: PathEvents, on reactor: Reactor) -> PathWatch? {
        try? reactor.watch(file: file, for: events) { self.append($0) }
    }
}

private func withFolder(_ body: (String, Reactor) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let reactor = Reactor.started("paths")
    defer {
        reactor.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
    try await body(folder, reactor)
}

/// Makes a file, or writes it again.
private func make(_ path: String) {
    close(open(path, O_CREAT | O_WRONLY, 0o600))
}

/// Opens descriptors up to the limit of the process.
private func useUpDescriptors() -> [Int32] {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_cur, 1_024)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var all: [Int32] = []
    while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 {
        all.append(descriptor)
    }
    return all
}
