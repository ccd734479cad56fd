internal import CLinux
package import Dispatch
internal import Glibc

/// Reports SIGTERM, SIGINT and SIGHUP on a dispatch queue, in place of their usual effect.
///
/// SIGTERM and SIGINT are reported once; a second signal of the same kind ends the program at once.
/// No signal is blocked, so in child programs the signals have their usual effect. A signal that
/// this process ignored before stays ignored.
package final class TerminationSignals {
    /// The signals that ask a program to end, the usual one first.
    package static let numbers = [SIGTERM, SIGINT, SIGHUP]

    private let source: any DispatchSourceRead

    /// Begins to listen; a process may have only one such object.
    ///
    /// - Throws: The system's error if no descriptor is free.
    package init(
        on queue: DispatchQueue, handler: @escaping @Sendable (Int32) -> Void
    ) throws(SystemFailure) {
        let (input, output) = try Subprocess.pipe()
        source = DispatchSource.makeReadSource(fileDescriptor: input, queue: queue)
        source.setEventHandler {
            var number: UInt8 = 0
            if read(input, &number, 1) == 1 { handler(Int32(number)) }
        }
        source.activate()
        for number in Self.numbers {
            let problem = clinux_forward_signal(number, output)
            guard problem == 0 else { throw SystemFailure(code: problem) }
        }
    }
}
