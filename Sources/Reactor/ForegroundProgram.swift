internal import Glibc

/// A child process that inherits this program's input and ignored signals.
///
/// The child also inherits the output streams, unless this object captures them.
///
/// The object passes on all captured output before it reports the end of the child. It does not
/// wait for programs that the child has started, even if they hold a stream open.
///
/// Use it on the reactor's thread.
public final class ForegroundProgram {
    /// The output streams of a program.
    public enum Stream: CaseIterable, Sendable {
        /// The program's standard output.
        case output
        /// The program's standard error.
        case errors
    }

    private let reactor: Reactor
    private let child: Subprocess.Child
    private var streams: [Stream: Int32]
    private var watches: [Stream: DescriptorWatch] = [:]
    /// The signal that ended the program; 0 while the program runs, or if it exited.
    ///
    /// The exit status does not show whether a signal ended the program. A program may exit with
    /// 128 plus a signal's number; a shell does so if a signal ended its command.
    public private(set) var endingSignal: Int32 = 0

    /// Finds a program on `PATH` and starts it.
    ///
    /// - Throws: The system's error if no pipe can be made or the program cannot start, such as
    ///   `ENOENT`.
    public init(
        _ arguments: [String], capturesOutput: Bool, on reactor: Reactor
    ) throws(SystemFailure) {
        var program = Subprocess(arguments, .child)
        program.searches = true
        program.keepsIgnoredSignals = true
        (program.input, program.output) = (.ours, .ours)
        var sources: [Stream: Int32] = [:]
        var targets: [Int32] = []
        defer { for target in targets { close(target) } }
        do throws(SystemFailure) {
            for stream in capturesOutput ? Stream.allCases : [] {
                let pipe = try Subprocess.pipe()
                sources[stream] = pipe.source
                targets.append(pipe.target)
                switch stream {
                case .output: program.output = .descriptor(pipe.target)
                case .errors: program.errors = .descriptor(pipe.target)
                }
            }
            child = try program.start()
        } catch {
            for source in sources.values { close(source) }
            throw error
        }
        streams = sources
        self.reactor = reactor
    }

    deinit {
        watches = [:]
        close(child.end)
        for stream in streams.values { close(stream) }
    }

    /// Sends the program a signal.
    public func signal(_ number: Int32) {
        child.signal(number)
    }

    /// Returns when the program has ended and all its captured output was passed on.
    ///
    /// The result is the program's exit status, or 128 plus the number of the signal that ended it.
    ///
    /// `write` gets captured output. If `write` returns false, the reading end of the pipe is
    /// closed, and the program's next write fails.
    public func waitForEnd(
        write: @escaping (Stream, [UInt8]) -> Bool
    ) async -> Int32 {
        for (stream, source) in streams { follow(stream, source, write) }
        var exit: DescriptorWatch?
        await withCheckedContinuation { continuation in
            exit = reactor.watch(child.end, for: .readable) { _ in
                exit?.cancel()
                continuation.resume()
            }
        }
        // Pass on only what the pipes hold now: another program may write to them without end.
        for (stream, source) in streams {
            var rest = Self.unread(source)
            while rest > 0, streams[stream] != nil, let bytes = Self.read(source, upTo: rest) {
                rest -= bytes.count
                passOutput(bytes, of: stream, write)
            }
        }
        return child.reap(signal: &endingSignal)
    }

    private func follow(
        _ stream: Stream, _ source: Int32, _ write: @escaping (Stream, [UInt8]) -> Bool
    ) {
        _ = fcntl(source, F_SETFL, fcntl(source, F_GETFL) | O_NONBLOCK)
        watches[stream] = reactor.watch(source, for: .readable) { [weak self] _ in
            guard let bytes = Self.read(source) else { return }
            self?.passOutput(bytes, of: stream, write)
        }
    }

    /// Passes on the output; closes the stream at its end, or if `write` returns false.
    private func passOutput(_ bytes: [UInt8], of stream: Stream, _ write: (Stream, [UInt8]) -> Bool)
    {
        guard bytes.isEmpty || !write(stream, bytes), let source = streams[stream] else { return }
        watches.removeValue(forKey: stream)?.cancel()
        streams[stream] = nil
        close(source)
    }

    /// The number of bytes that a pipe holds.
    private static func unread(_ source: Int32) -> Int {
        var count: Int32 = 0
        return ioctl(source, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Reads the next bytes; the result is empty at the stream's end, and nil if no bytes are there
    /// now.
    private static func read(_ source: Int32, upTo limit: Int = 65_536) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: min(limit, 65_536))
        let count = Glibc.read(source, &chunk, chunk.count)
        return count < 0 ? nil : Array(chunk.prefix(count))
    }
}
