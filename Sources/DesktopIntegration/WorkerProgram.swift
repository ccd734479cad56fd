internal import CLinux
internal import Glibc
public import NotificationModel
public import Reactor

/// One run of a program that gets its input at once and is read when it has ended.
///
/// No shell is involved. On the reactor's thread, because the kernel ends the program with the
/// thread that started it.
public actor WorkerProgram {
    /// The most that a program may say, in bytes.
    public static let outputLimit = 1 << 20
    /// The largest file that it may write, in bytes.
    static let fileLimit: Int64 = 64 << 20

    /// The reactor that sees the program's end.
    public nonisolated let reactor: Reactor
    /// The reactor, as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    private let arguments: [String]
    private var worker: clinux_worker?
    private var watch: DescriptorWatch?
    private var isEnded = false

    /// Makes a run; the first argument is the absolute path of the program.
    public init(_ arguments: [String], reactor: Reactor) {
        self.arguments = arguments
        self.reactor = reactor
    }

    deinit {
        if let worker {
            close(worker.pidfd)
            close(worker.output)
        }
    }

    /// Runs the program to its end and gives its standard output.
    public func run(
        input: [UInt8], environment: [String: String], directory: String
    ) async throws(NotificationError) -> [UInt8] {
        let (status, output) = try await end(
            input: input, environment: environment, directory: directory)
        guard status == 0 else { throw failure("it ended with status \(status)") }
        return output
    }

    /// Runs the program to its end and gives its status and its standard output.
    func end(
        input: [UInt8], environment: [String: String], directory: String
    ) async throws(NotificationError) -> (status: Int32, output: [UInt8]) {
        guard !isEnded else { throw failure("it was ended before it was started") }
        let worker = try start(input, environment, directory)
        self.worker = worker
        await withCheckedContinuation { continuation in
            watch = reactor.watch(worker.pidfd, for: .readable) { [weak self] _ in
                self?.assumeIsolated { $0.watch?.cancel() }
                continuation.resume()
            }
        }
        watch = nil
        isEnded = true
        let status = clinux_reap_worker(worker.pid)
        return (status, try output(of: worker))
    }

    /// Sends a signal, unless it has ended.
    public func signal(_ number: Int32) {
        guard !isEnded else { return }
        if let worker {
            clinux_signal_worker(worker.pid, number)
        } else {
            isEnded = true
        }
    }

    private func start(
        _ input: [UInt8], _ environment: [String: String], _ directory: String
    ) throws(NotificationError) -> clinux_worker {
        var worker = clinux_worker()
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let problem = clinux_start_worker(
            arguments.first ?? "", Self.block(arguments), Self.block(variables), directory, input,
            Int64(input.count), Self.fileLimit, &worker)
        guard problem == 0 else {
            throw failure("it could not be started: \(String(cString: strerror(problem)))")
        }
        return worker
    }

    private func output(of worker: clinux_worker) throws(NotificationError) -> [UInt8] {
        var status = stat()
        guard fstat(worker.output, &status) == 0, status.st_size <= Self.outputLimit else {
            throw failure("it said more than \(Self.outputLimit) bytes")
        }
        var output = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = pread(worker.output, &output, output.count, 0)
        guard count == output.count else { throw failure("what it said could not be read") }
        return output
    }

    private func failure(_ reason: String) -> NotificationError {
        NotificationError(
            .protocolViolation,
            "The program \((arguments.first ?? "").quotedForMessage()) gave nothing: \(reason). "
                + "Run it in a terminal to see why.")
    }

    /// Each text ends with NUL; the C string's own NUL ends the block.
    private static func block(_ texts: [String]) -> String {
        texts.map { $0 + "\0" }.joined()
    }
}
