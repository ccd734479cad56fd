internal import DesktopBus
internal import Glibc
internal import Reactor

/// Waits until a daemon that was just started owns its name, ends, or exceeds its timeout.
actor DaemonArrival: ReactorActor {
    enum Outcome {
        case arrived
        case ended
        case late
        case failed(BusError)
    }

    nonisolated let reactor: Reactor
    private let connection: BusConnection
    private let process: Int32
    private var ownership: BusSubscription?
    private var watch: DescriptorWatch?
    private var deadline: Deadline?
    private var outcome = AsyncGate<Outcome>()

    /// Makes an object that waits for one daemon; `process` is the daemon's pidfd, and `deinit`
    /// closes it.
    init(connection: BusConnection, process: Int32) {
        self.connection = connection
        self.process = process
        reactor = connection.reactor
    }

    deinit {
        close(process)
    }

    func outcome(timeout: Duration) async -> Outcome {
        defer { release() }
        watch = reactor.watch(process, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.hasEnded() }
        }
        deadline = reactor.deadline(after: timeout) { [weak self] in
            self?.assumeIsolated { $0.settle(.late) }
        }
        do throws(BusError) {
            ownership = try await connection.watchOwner(of: CenterName.bus) { [weak self] owner in
                guard owner != nil else { return }
                self?.assumeIsolated { $0.settle(.arrived) }
            }
        } catch {
            settle(.failed(error))
        }
        // The outcome can be settled before this wait begins: the tool's tasks have a preferred
        // executor, which may run other jobs of this actor first.
        return await outcome.valuePromise().value()
    }

    /// Reports the end of the daemon, or an arrival if another daemon owns the name.
    ///
    /// A daemon ends at once if the name already has an owner.
    private func hasEnded() {
        watch?.cancel()
        Task {
            let owner = try? await connection.owner(of: CenterName.bus)
            settle(owner == nil ? .ended : .arrived)
        }
    }

    private func settle(_ result: Outcome) {
        if !outcome.isOpen { outcome.open(result) }
    }

    private func release() {
        watch?.cancel()
        deadline?.cancel()
        ownership?.cancel()
        watch = nil
        deadline = nil
        ownership = nil
    }
}
