internal import CLinux
internal import Glibc

/// A program that works in the place of this one: a child with our standard input, and with our
/// output unless that is captured.
///
/// Use it on the reactor's thread.
public final class ForegroundProgram {
    /// Where a program writes.
    public enum Stream: CaseIterable, Sendable {
        /// Its standard output.
        case output
        /// Its standard error.
        case errors
    }

    private let reactor: Reactor
    private let process: Int32
    private let descriptor: Int32
    private var streams: [Stream: Int32]
    private var watches: [Stream: DescriptorWatch] = [:]

    /// Starts a program, found on `PATH`.
    ///
    /// Throws what the system calls the failure.
    public init(
        _ arguments: [String], capturesOutput: Bool, on reactor: Reactor
    ) throws(SystemFailure) {
        var started = clinux_foreground(pid: 0, pidfd: -1, output: -1, errors: -1)
        let block = arguments.map { $0 + "\0" }.joined()
        let problem = clinux_start_foreground(
            block, Int32(arguments.count), capturesOutput ? 1 : 0, &started)
        guard problem == 0 else { throw SystemFailure(code: problem) }
        self.reactor = reactor
        process = started.pid
        descriptor = started.pidfd
        streams = capturesOutput ? [.output: started.output, .errors: started.errors] : [:]
    }

    deinit {
        watches = [:]
        close(descriptor)
        for stream in streams.values { close(stream) }
    }

    /// Sends it a signal.
    public func signal(_ number: Int32) {
        kill(process, number)
    }

    /// Returns when it has ended and all that it wrote was handed over: its exit status, or 128 and
    /// the number of the signal that ended it.
    ///
    /// `write` gets what it writes where that is captured; false ends the stream, so that the program
    /// finds it closed. A program of its own that it left behind, and that holds the stream open,
    /// is not waited for.
    public func end(
        write: @escaping (Stream, [UInt8]) -> Bool
    ) async -> Int32 {
        for (stream, source) in streams { follow(stream, source, write) }
        var exit: DescriptorWatch?
        await withCheckedContinuation { continuation in
            exit = reactor.watch(descriptor, for: .readable) { _ in
                exit?.cancel()
                continuation.resume()
            }
        }
        // What is in the pipes at its end.
        for stream in streams.keys {
            while let source = streams[stream], let bytes = Self.read(source) {
                take(bytes, of: stream, write)
            }
        }
        return clinux_reap_foreground(process)
    }

    private func follow(
        _ stream: Stream, _ source: Int32, _ write: @escaping (Stream, [UInt8]) -> Bool
    ) {
        _ = fcntl(source, F_SETFL, fcntl(source, F_GETFL) | O_NONBLOCK)
        watches[stream] = reactor.watch(source, for: .readable) { [weak self] _ in
            guard let bytes = Self.read(source) else { return }
            self?.take(bytes, of: stream, write)
        }
    }

    /// Hands over what was read; at the end, and where nobody takes it, the stream is closed.
    private func take(_ bytes: [UInt8], of stream: Stream, _ write: (Stream, [UInt8]) -> Bool) {
        guard bytes.isEmpty || !write(stream, bytes), let source = streams[stream] else { return }
        watches.removeValue(forKey: stream)?.cancel()
        streams[stream] = nil
        close(source)
    }

    /// Empty at the end, nil where nothing is there.
    private static func read(_ source: Int32) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(source, &chunk, chunk.count)
        return count < 0 ? nil : Array(chunk.prefix(count))
    }
}
