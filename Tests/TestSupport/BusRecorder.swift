internal import DesktopBus
internal import Foundation

/// Records the messages on a bus as text, to explain a failing test.
package final class BusRecorder: Sendable {
    private let monitor: RunningProgram

    /// Starts the monitor, and returns once the monitor gets every message.
    package init(_ bus: PrivateBus) async throws {
        monitor = try RunningProgram(
            "dbus-monitor", ["--address", bus.address.rawValue], environment: bus.environment)
        // When the bus accepts a monitor, the monitor loses its unique name.
        try await monitor.lines.first("the bus to accept the monitor") {
            $0.contains("member=NameLost")
        }
    }

    /// The messages so far, one or more lines each.
    package var text: String { monitor.lines.all.joined(separator: "\n") }

    /// Waits until a line with this text has crossed the bus.
    package func waitForLine(containing text: String, within seconds: Int = 60) async throws {
        try await monitor.lines.first("a message with \(text)", within: seconds) {
            $0.contains(text)
        }
    }

    /// Waits until this line has crossed the bus.
    package func waitForLine(_ line: String, within seconds: Int = 60) async throws {
        try await monitor.lines.first("the line \(line)", within: seconds) { $0 == line }
    }

    /// Waits until the signal `member` has crossed the bus without a destination.
    package func waitForBroadcast(of member: String, within seconds: Int = 60) async throws {
        try await monitor.lines.first("the signal \(member) for everybody", within: seconds) {
            $0.hasPrefix("signal") && $0.contains("-> destination=(null destination)")
                && $0.hasSuffix("member=\(member)")
        }
    }

    /// Waits until `count` calls of this member have been answered without an error.
    package func waitForAnswer(
        to member: String, count: Int = 1, within seconds: Int = 60
    ) async throws {
        try await monitor.lines.wait(for: "an answer to \(member)", within: seconds) { lines in
            let calls = lines.filter {
                $0.hasPrefix("method call") && $0.hasSuffix("member=\(member)")
            }
            let asked = Set(
                calls.map { call in
                    "\(Self.field("sender", of: call)) \(Self.field("serial", of: call))"
                })
            return lines.count {
                $0.hasPrefix("method return")
                    && asked.contains(
                        "\(Self.field("destination", of: $0)) \(Self.field("reply_serial", of: $0))"
                    )
            } >= count
        }
    }

    private static func field(_ name: String, of line: String) -> Substring {
        let field = line.split(separator: " ").first { $0.hasPrefix(name + "=") }
        return field?.dropFirst(name.count + 1) ?? ""
    }

    /// Ends the recording.
    package func stop() async {
        await monitor.stop()
    }

    /// Runs `body`, and prints the messages on the bus if `body` throws.
    ///
    /// If `TOCSIN_BUS_MONITOR` is set, the messages are always printed.
    package static func recording<Result>(
        _ bus: PrivateBus, _ body: () async throws -> Result
    ) async throws -> Result {
        let recorder = try await BusRecorder(bus)
        do {
            let result = try await body()
            await recorder.stop()
            if ProcessInfo.processInfo.environment["TOCSIN_BUS_MONITOR"] != nil {
                recorder.print()
            }
            return result
        } catch {
            await recorder.stop()
            recorder.print()
            throw error
        }
    }

    /// Prints the recorded messages on standard error.
    package func print() {
        let text = "---- on the bus ----\n\(text)\n--------------------\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}
