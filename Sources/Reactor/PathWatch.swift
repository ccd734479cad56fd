/// Interest in what happens to a file or in a folder; it ends with `cancel()` or with this
/// object.
///
/// It watches the file that lay at the path when it was made, and not the path: one that is renamed
/// there later is another file. Use it on the reactor's thread; it may be released on any.
package final class PathWatch {
    private let reactor: Reactor
    private let entry: PathWatchEntry

    init(reactor: Reactor, entry: PathWatchEntry) {
        self.reactor = reactor
        self.entry = entry
    }

    deinit {
        reactor.performHere { [reactor, entry] in reactor.pathWatches.remove(entry) }
    }

    /// Whether changes are seen.
    ///
    /// False until an inotify instance is free, of which a user has 128: the handler is then told
    /// `missed`. False, too, once it was told `ended`.
    package var isFollowing: Bool {
        reactor.checkIsolated()
        return entry.isFollowing
    }

    /// Ends the watch: its handler does not run again, not even for an event already seen.
    package func cancel() {
        reactor.checkIsolated()
        reactor.pathWatches.remove(entry)
    }
}

extension Reactor {
    /// Calls `handler` when one of these events happens to the file, until the watch is released.
    ///
    /// Throws what the system says where nothing can be watched at this path. The events that were
    /// read at once are handed over together.
    package func watch(
        file path: String, for events: PathEvents, handler: @escaping (PathEvents) -> Void
    ) throws(SystemFailure) -> PathWatch {
        try watch(PathWatchEntry(path: path, events: events, isFolder: false, handler: handler))
    }

    /// The same for a folder and what lies in it; throws `ENOTDIR` where a file lies at the path.
    package func watch(
        folder path: String, for events: PathEvents, handler: @escaping (PathEvents) -> Void
    ) throws(SystemFailure) -> PathWatch {
        try watch(PathWatchEntry(path: path, events: events, isFolder: true, handler: handler))
    }

    private func watch(_ entry: PathWatchEntry) throws(SystemFailure) -> PathWatch {
        checkIsolated()
        try pathWatches.add(entry)
        return PathWatch(reactor: self, entry: entry)
    }
}

/// The reactor's side of a watch.
///
/// Unchecked: touched on the reactor's thread only; it is sent there once more by the `deinit`
/// of a watch that was released on another thread.
final class PathWatchEntry: @unchecked Sendable {
    let path: String
    let events: PathEvents
    let isFolder: Bool
    var handler: ((PathEvents) -> Void)?
    /// inotify's number of the file; negative while none is watched.
    var number: Int32 = -1
    /// The events that the handler has not received yet.
    var happened: PathEvents = []

    init(
        path: String, events: PathEvents, isFolder: Bool,
        handler: @escaping (PathEvents) -> Void
    ) {
        self.path = path
        self.events = events
        self.isFolder = isFolder
        self.handler = handler
    }

    var isFollowing: Bool { number >= 0 }
}
