internal import Glibc
public import NotificationModel
public import Reactor

/// One run of a program: the program gets all input at once, and its output is read after its end.
///
/// No shell is involved. The kernel kills a program when its parent thread ends (PR_SET_PDEATHSIG).
/// Therefore the long-lived thread of the reactor starts the program. That thread does not wait
/// until the program's file is open, because the file's file system may hang.
public actor WorkerProgram: ReactorActor {
    /// The reactor that watches for the program's end.
    public nonisolated let reactor: Reactor

    private let arguments: [String]
    private var worker: Subprocess.Child?
    /// The file in memory that receives the output.
    private var output: Int32 = -1
    private var watch: DescriptorWatch?
    private var isEnded = false

    /// Makes a run; the first argument is the absolute path of the program.
    public init(_ arguments: [String], reactor: Reactor) {
        self.arguments = arguments
        self.reactor = reactor
    }

    deinit {
        if let worker { close(worker.end) }
        if output >= 0 { close(output) }
    }

    /// Runs the program to its end and returns its standard output.
    ///
    /// - Throws: `protocolViolation` if the program does not start, does not end with status 0, or
    ///   writes too much.
    public func run(
        input: [UInt8], environment: [String: String], directory: String
    ) async throws(NotificationError) -> [UInt8] {
        let (status, output) = try await runToEnd(
            input: input, environment: environment, directory: directory)
        guard status == 0 else { throw failure("it ended with status \(status)") }
        return output
    }

    func runToEnd(
        input: [UInt8], environment: [String: String], directory: String
    ) async throws(NotificationError) -> (status: Int32, output: [UInt8]) {
        guard !isEnded else { throw failure("it was cancelled before its start") }
        let worker = try start(input, environment, directory)
        let end = Promise<Void>()
        watch = reactor.watch(worker.end, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.watch?.cancel() }
            end.fulfill(())
        }
        await end.value()
        watch = nil
        isEnded = true
        let status = worker.reap()
        if let problem = worker.startFailure() { throw notStarted(problem) }
        return (status, try readOutput())
    }

    /// Sends a signal to the running program; a call before the start prevents the start.
    public func signal(_ number: Int32) {
        guard !isEnded else { return }
        if let worker {
            worker.signalSession(number)
        } else {
            isEnded = true
        }
    }

    private func start(
        _ input: [UInt8], _ environment: [String: String], _ directory: String
    ) throws(NotificationError) -> Subprocess.Child {
        var program = Subprocess(
            arguments, .worker, environment: environment, directory: directory)
        program.fileLimit = Limits.programFile.range.upperBound
        do throws(SystemFailure) {
            let file = try Subprocess.memoryFile(input)
            defer { close(file) }
            output = try Subprocess.memoryFile()
            (program.input, program.output) = (.descriptor(file), .descriptor(output))
            let child = try program.beginStart()
            worker = child
            return child
        } catch {
            throw notStarted(error)
        }
    }

    private func notStarted(_ problem: SystemFailure) -> NotificationError {
        failure("it could not be started: \(problem)")
    }

    private func readOutput() throws(NotificationError) -> [UInt8] {
        var status = stat()
        guard fstat(output, &status) == 0, Limits.programOutput.contains(status.st_size) else {
            throw failure("it wrote more than \(Limits.programOutput.most) bytes")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = pread(output, &bytes, bytes.count, 0)
        guard count == bytes.count else { throw failure("its output could not be read") }
        return bytes
    }

    private func failure(_ reason: String) -> NotificationError {
        NotificationError(
            .protocolViolation,
            "The program \((arguments.first ?? "").quotedForMessage()) failed: \(reason). "
                + "Run it in a terminal to see why.")
    }
}
