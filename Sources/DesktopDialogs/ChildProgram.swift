internal import CLinux
internal import Glibc
internal import NotificationModel
internal import Reactor

/// A program that runs beside everything else: its end and what it wrote come as one answer.
actor ChildProgram {
    /// The most that is kept of what a program writes, in bytes.
    private static let outputLimit = 256 * 1_024
    /// How long a program that was asked to end may take.
    private static let patience: Duration = .seconds(2)

    nonisolated let reactor: Reactor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    private let child: clinux_child
    private var output: [UInt8] = []
    private var status: Int32?
    private var outputWatch: DescriptorWatch?
    private var endWatch: DescriptorWatch?
    private var killDeadline: Deadline?
    private var waiter: CheckedContinuation<Void, Never>?

    /// Starts the program.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], reactor: Reactor
    ) throws(NotificationError) {
        self.reactor = reactor
        var child = clinux_child()
        let problem = clinux_start_child(
            path, Self.block([path] + arguments),
            Self.block(environment.map { "\($0.key)=\($0.value)" }), &child)
        guard problem == 0 else {
            throw NotificationError(
                .noServer,
                "The dialog program \(path.quotedForMessage()) could not be started: "
                    + "\(String(cString: strerror(problem))). Install it again.")
        }
        self.child = child
    }

    deinit {
        close(child.output)
        close(child.process)
    }

    /// How it ended, and what it wrote.
    func result() async -> (status: Int32, output: String) {
        outputWatch = reactor.watch(child.output, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.read() }
        }
        endWatch = reactor.watch(child.process, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.ended() }
        }
        if status == nil {
            await withCheckedContinuation { waiter = $0 }
        }
        return (status ?? -1, String(decoding: output, as: UTF8.self))
    }

    /// Asks it to end, and insists if it does not.
    nonisolated func terminate() {
        reactor.perform { self.assumeIsolated { $0.end() } }
    }

    private func end() {
        // Not yet waited for: until then its number is no other's.
        guard status == nil else { return }
        kill(-child.pid, SIGTERM)
        killDeadline = reactor.deadline(after: Self.patience) { [weak self] in
            self?.assumeIsolated { program in
                if program.status == nil { kill(-program.child.pid, SIGKILL) }
            }
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(child.output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count == 0 { outputWatch?.cancel() }
            guard count > 0 else { return }
            output += buffer[..<count].prefix(max(0, Self.outputLimit - output.count))
        }
    }

    private func ended() {
        // What is in the pipe; a child of the program's own may keep it open for ever.
        read()
        status = clinux_reap_child(child)
        outputWatch?.cancel()
        endWatch?.cancel()
        killDeadline?.cancel()
        (outputWatch, endWatch, killDeadline) = (nil, nil, nil)
        waiter?.resume()
        waiter = nil
    }

    /// Each text ends with NUL; the C string's own NUL ends the block.
    private static func block(_ texts: [String]) -> String {
        texts.map { $0 + "\0" }.joined()
    }
}
