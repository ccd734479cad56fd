internal import Glibc
internal import Reactor

/// The lines that a person types, as they come, on the thread of everything else.
actor TypedLines {
    private let reactor: Reactor
    private let heard: @Sendable (String?) -> Void
    private var watch: DescriptorWatch?
    private var rest: [UInt8] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    /// Begins with `start()`; nil is heard once, at the end of standard input.
    init(on reactor: Reactor, _ heard: @escaping @Sendable (String?) -> Void) {
        self.reactor = reactor
        self.heard = heard
    }

    func start() {
        watch = reactor.watch(STDIN_FILENO, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.take() }
        }
    }

    private func take() {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else {
            watch?.cancel()
            watch = nil
            return heard(nil)
        }
        rest += chunk[..<count]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            heard(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeFirst(end + 1)
        }
    }
}
