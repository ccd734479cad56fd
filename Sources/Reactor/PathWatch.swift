/// A watch of a file's or folder's events.
///
/// The watch ends with `cancel()`, or when this object is released.
///
/// The watch follows the file that was at the path when the watch was made, not the path. If
/// another file is renamed to the path later, that file is not watched. Use the watch on the
/// reactor's thread; any thread may release it.
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

    /// Whether the watch receives events.
    ///
    /// The value is false while the system refuses an inotify instance (a user may have 128) or a
    /// watch. When the system later grants the watch, the handler gets `missed`.
    ///
    /// The value is also false after the handler got `ended`, and after `cancel()`.
    package var isFollowing: Bool {
        reactor.checkIsolated()
        return entry.isFollowing
    }

    /// Ends the watch: its handler does not run again, even if inotify(7) has already reported an
    /// event.
    package func cancel() {
        reactor.checkIsolated()
        reactor.pathWatches.remove(entry)
    }
}

extension Reactor {
    /// Calls `handler` when one of these events happens to the file, until the watch is released.
    ///
    /// Events that are read together are reported in one call.
    ///
    /// - Throws: The system's error if nothing can be watched at this path.
    package func watch(
        file path: String, for events: PathEvents, handler: @escaping (PathEvents) -> Void
    ) throws(SystemFailure) -> PathWatch {
        try watch(PathWatchEntry(path: path, events: events, isFolder: false, handler: handler))
    }

    /// Calls `handler` when one of these events happens to the folder, or to a file in it.
    ///
    /// - Throws: `ENOTDIR` if a file is at the path; otherwise the system's error.
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
/// Unchecked: only the reactor's thread touches it. If another thread releases a watch, the watch's
/// `deinit` passes the entry to the reactor's thread.
final class PathWatchEntry: @unchecked Sendable {
    let path: String
    let events: PathEvents
    let isFolder: Bool
    var handler: ((PathEvents) -> Void)?
    /// The watch descriptor of inotify(7); negative while no file is watched.
    var number: Int32 = -1
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
