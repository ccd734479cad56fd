internal import CenterInterface
internal import Glibc
internal import Reactor

/// Reports each item that the command-line tool leaves in the inbox, until this object is released.
///
/// It also reports when the inbox is no longer at its path. The tool then makes a new inbox, with a
/// new pipe that wakes the daemon.
final class InboxWatcher: Sendable {
    /// The events in the inbox's parent folder after which another inbox may be at the path.
    private static let events: PathEvents = [
        .created, .deleted, .movedIn, .movedOut, .selfDeleted, .selfMoved,
    ]

    private let reactor: Reactor
    private let descriptor: Int32
    private let watch = Locked<DescriptorWatch?>(nil)
    /// Watches the inbox's parent folder; nil if that is not possible.
    private let place = Locked<PathWatch?>(nil)

    /// Starts to listen; the result is nil if the inbox's wake pipe cannot be made.
    ///
    /// The reactor's thread calls both closures, and may call `lost` several times.
    init?(
        of inbox: Inbox, on reactor: Reactor, report: @escaping @Sendable () -> Void,
        lost: @escaping @Sendable () -> Void
    ) {
        guard let descriptor = inbox.openWakePipe() else { return nil }
        self.reactor = reactor
        self.descriptor = descriptor
        let path = inbox.path
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        reactor.perform { [reactor, watch, place] in
            watch.withLock {
                $0 = reactor.watch(descriptor, for: .readable) { _ in
                    var bytes = [UInt8](repeating: 0, count: 64)
                    while read(descriptor, &bytes, bytes.count) > 0 {}
                    report()
                }
            }
            let check: (PathEvents) -> Void = { _ in
                if !Inbox.isWakePipe(descriptor, at: path) { lost() }
            }
            place.withLock {
                $0 = try? reactor.watch(folder: folder, for: Self.events, handler: check)
            }
            // The inbox may have been removed before its folder was watched.
            check([])
        }
    }

    deinit {
        // End the watches before the close, on the reactor's thread. Otherwise poll(2) could get a
        // closed descriptor.
        reactor.perform { [watch, place, descriptor] in
            watch.withLock { $0 = nil }
            place.withLock { $0 = nil }
            close(descriptor)
        }
    }
}
