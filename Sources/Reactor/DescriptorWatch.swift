/// A watch of one descriptor's events; it ends with `cancel()`, or when this object is released.
///
/// The caller owns the descriptor, and cancels the watch before closing it. Use the watch on the
/// reactor's thread only.
public final class DescriptorWatch {
    private let reactor: Reactor
    private let entry: WatchEntry

    init(reactor: Reactor, entry: WatchEntry) {
        self.reactor = reactor
        self.entry = entry
    }

    deinit {
        reactor.performHere { [reactor, entry] in reactor.remove(entry) }
    }

    /// Changes the awaited events; an empty set pauses the watch, which then reports no hang-up.
    public func update(_ events: DescriptorEvents) {
        reactor.checkIsolated()
        entry.events = events
    }

    /// Ends the watch: its handler does not run again, even if poll(2) has already reported an
    /// event.
    public func cancel() {
        reactor.remove(entry)
    }
}

/// The reactor's side of a watch.
///
/// Unchecked: only the reactor's thread touches it. If another thread releases a watch, the watch's
/// `deinit` passes the entry to the reactor's thread.
final class WatchEntry: @unchecked Sendable {
    let descriptor: Int32
    var events: DescriptorEvents
    var handler: ((DescriptorEvents) -> Void)?

    init(
        descriptor: Int32, events: DescriptorEvents,
        handler: @escaping (DescriptorEvents) -> Void
    ) {
        self.descriptor = descriptor
        self.events = events
        self.handler = handler
    }
}
