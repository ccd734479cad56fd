internal import Foundation

/// A program that a test uses, with its lines and its end as events.
///
/// It owns the process and the file of its standard error.
///
/// It promises the whole output when `run` returns.
///
/// It never leaves the program behind when the test run ends.
package final class RunningProgram: Sendable {
    /// Its name in messages.
    package let name: String
    /// The lines of its standard output.
    package let lines = Recording<String>()

    private let process: ChildProcess
    private let exits = Recording<Int32>()
    private let errorFile: String?

    /// Starts a program; a name without a slash is looked up on PATH.
    ///
    /// With `keepsErrors`, the program's standard error goes to a file, for messages. Otherwise it
    /// goes to the standard error of this process.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        keepsErrors: Bool = true
    ) throws {
        name = program.split(separator: "/").last.map(String.init) ?? program
        guard let path = Self.path(of: program) else {
            throw HarnessError("\(program) is not installed: run `make setup`")
        }
        errorFile = keepsErrors ? "\(NSTemporaryDirectory())/\(UUID().uuidString).log" : nil
        process = try ChildProcess(
            path, arguments, environment: environment, errorFile: errorFile)
        readLines()
        awaitExit()
    }

    deinit {
        if let errorFile { try? FileManager.default.removeItem(atPath: errorFile) }
    }

    /// Its process id.
    package var processIdentifier: Int32 { process.processIdentifier }

    /// Its output so far, with the errors last, for error messages.
    package var said: String {
        let errors = errorFile.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
        let texts = lines.all + [String(decoding: errors, as: UTF8.self)]
        return texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Waits until every writer has closed the output, and returns the whole output.
    ///
    /// The pipe may hold text after the process has ended.
    package func allSaid(within seconds: Int = 30) async throws -> String {
        try await lines.untilFinished(within: seconds)
        return said
    }

    /// Its exit status, or minus the signal that ended it.
    @discardableResult
    package func exit(within seconds: Int = 30) async throws -> Int32 {
        try await exits.first("the end of \(name)", within: seconds) { _ in true }
    }

    /// Sends a signal, unless the program has ended.
    package func signal(_ number: Int32) {
        process.signal(number)
    }

    /// Sends SIGTERM, kills the program if it still runs after 3 s, and returns when it has ended.
    package func stop() async {
        signal(SIGTERM)
        if (try? await exit(within: 3)) == nil {
            signal(SIGKILL)
            _ = try? await exit()
        }
    }

    /// Runs a program to its end and returns its standard output; throws for a status other than 0.
    @discardableResult
    package static func run(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        within seconds: Int = 30
    ) async throws -> String {
        let running = try RunningProgram(program, arguments, environment: environment)
        do {
            let status = try await running.exit(within: seconds)
            guard status == 0 else {
                // Shorten a long argument, which would hide the rest of the message.
                let words = arguments.map { $0.count > 200 ? "…" : $0 }
                throw HarnessError("\(program) \(words) ended with \(status): \(running.said)")
            }
            // The pipe still holds text after the process has ended.
            try await running.lines.untilFinished(within: seconds)
            return running.lines.all.joined(separator: "\n")
        } catch {
            await running.stop()
            throw error
        }
    }

    /// The path of `program`, or nil if it is not installed.
    package static func path(of program: String) -> String? {
        let files = FileManager.default
        if program.contains("/") {
            return files.isExecutableFile(atPath: program) ? program : nil
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(program)" }
            .first { files.isExecutableFile(atPath: $0) }
    }

    private func awaitExit() {
        Thread.detachNewThread { [process, exits] in
            let status = process.waitUntilExit()
            exits.append(status)
        }
    }

    /// Reads on a separate thread.
    ///
    /// `readabilityHandler` crashes now and then when many programs end at the same time.
    private func readLines() {
        let (handle, lines, name) = (process.output, lines, name)
        let errorFile = errorFile
        Thread.detachNewThread {
            var rest = Data()
            // `read(upToCount:)` would wait until that many bytes are there.
            while case let data = handle.availableData, !data.isEmpty {
                rest.append(data)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.append(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
            let errors = errorFile.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
            let said = String(decoding: errors.suffix(2_000), as: UTF8.self)
            lines.finish("\(name) closed its output: \(said)")
        }
    }
}
