internal import Foundation
internal import Synchronization

/// A program that a test started: its output line by line, its end, and nothing left behind.
package final class ChildProcess: Sendable {
    /// What messages call it.
    package let name: String
    /// Its lines, standard output and standard error together.
    package let output = Recording<String>()
    /// Its lines on standard output alone.
    package let lines = Recording<String>()

    private let exits = Recording<Int32>()
    private let process: Mutex<Process>
    /// The id the system gave it.
    package let processIdentifier: Int32

    /// Starts `program`, found on PATH unless it is a path.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        directory: String? = nil
    ) throws {
        name = program.split(separator: "/").last.map(String.init) ?? program
        guard let path = Self.path(of: program) else {
            throw HarnessError("\(program) is not installed: run `make setup`")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        process.standardInput = FileHandle.nullDevice
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        Self.forward(out, to: [output, lines], ending: [lines], name: name)
        Self.forward(err, to: [output], ending: [], name: name)
        process.terminationHandler = { [exits] ended in
            Guard.shared.remove(ended.processIdentifier)
            let signalled = ended.terminationReason == .uncaughtSignal
            exits.append(signalled ? 128 + ended.terminationStatus : ended.terminationStatus)
        }
        do {
            try process.run()
        } catch {
            throw HarnessError("starting \(path) failed: \(error)")
        }
        processIdentifier = process.processIdentifier
        Guard.shared.add(processIdentifier)
        self.process = Mutex(process)
        if !isRunning { Guard.shared.remove(processIdentifier) }
    }

    /// Whether it has not ended yet.
    package var isRunning: Bool { exits.all.isEmpty }

    /// Its exit status; 128 plus the signal if a signal ended it.
    @discardableResult
    package func exit(within seconds: Int = 30) async throws -> Int32 {
        try await exits.first("the end of \(name)", within: seconds) { _ in true }
    }

    /// Sends a signal.
    package func signal(_ signal: Int32) {
        guard isRunning else { return }
        kill(processIdentifier, signal)
    }

    /// Asks it to end, insists if it does not, and returns when it is gone.
    package func stop() async {
        signal(SIGTERM)
        if (try? await exit(within: 3)) == nil {
            signal(SIGKILL)
            _ = try? await exit(within: 3)
        }
    }

    /// Runs a program to its end and returns its standard output; a status other than 0 throws.
    @discardableResult
    package static func run(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        within seconds: Int = 30
    ) async throws -> String {
        let child = try ChildProcess(program, arguments, environment: environment)
        do {
            let status = try await child.exit(within: seconds)
            // The pipe outlives the process by what is still in it.
            _ = try? await child.lines.wait(for: "the rest", within: seconds) { _ in false }
            guard status == 0 else {
                let said = child.output.all.joined(separator: "\n")
                throw HarnessError("\(program) \(arguments) ended with \(status): \(said)")
            }
            return child.lines.all.joined(separator: "\n")
        } catch {
            await child.stop()
            throw error
        }
    }

    /// Where `program` is, or nil if it is not installed.
    package static func path(of program: String) -> String? {
        let files = FileManager.default
        if program.contains("/") {
            return files.isExecutableFile(atPath: program) ? program : nil
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(program)" }
            .first { files.isExecutableFile(atPath: $0) }
    }

    /// Reads on a thread of its own: `readabilityHandler` crashes now and then when many programs
    /// end at once.
    private static func forward(
        _ pipe: Pipe, to recordings: [Recording<String>], ending: [Recording<String>], name: String
    ) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            // `read(upToCount:)` would wait until that many bytes are there.
            while case let data = handle.availableData, !data.isEmpty {
                rest.append(data)
                for line in takeLines(&rest, all: false) {
                    for recording in recordings { recording.append(line) }
                }
            }
            for line in takeLines(&rest, all: true) {
                for recording in recordings { recording.append(line) }
            }
            for recording in ending { recording.finish("\(name) closed its output") }
        }
    }

    private static func takeLines(_ data: inout Data, all: Bool) -> [String] {
        var lines: [String] = []
        while let end = data.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: data[data.startIndex..<end], as: UTF8.self))
            data = Data(data[data.index(after: end)...])
        }
        if all && !data.isEmpty {
            lines.append(String(decoding: data, as: UTF8.self))
            data = Data()
        }
        return lines
    }
}
