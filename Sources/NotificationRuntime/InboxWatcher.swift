internal import CenterInterface
internal import Glibc
internal import Reactor

/// Reports each item that the command-line tool leaves in the inbox, until this object is released.
final class InboxWatcher: Sendable {
    private let reactor: Reactor
    private let descriptor: Int32
    private let watch = Locked<DescriptorWatch?>(nil)

    /// Starts to listen; the result is nil if the inbox's wake pipe cannot be made.
    ///
    /// The reactor's thread calls `report`.
    init?(of inbox: Inbox, on reactor: Reactor, report: @escaping @Sendable () -> Void) {
        guard let descriptor = inbox.openWakePipe() else { return nil }
        self.reactor = reactor
        self.descriptor = descriptor
        reactor.perform { [reactor, watch] in
            watch.withLock {
                $0 = reactor.watch(descriptor, for: .readable) { _ in
                    var bytes = [UInt8](repeating: 0, count: 64)
                    while read(descriptor, &bytes, bytes.count) > 0 {}
                    report()
                }
            }
        }
    }

    deinit {
        // End the watch before the close, on the reactor's thread. Otherwise poll(2) could get a
        // closed descriptor.
        reactor.perform { [watch, descriptor] in
            watch.withLock { $0 = nil }
            close(descriptor)
        }
    }
}
