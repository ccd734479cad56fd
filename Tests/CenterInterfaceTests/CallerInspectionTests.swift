import DesktopBus
import Foundation
import Reactor
import TestSupport
import Testing

@testable import CenterInterface

/// The service loses its bus while it inspects a caller.
@Suite(
    .enabled(if: BusRelay.canRun, "no python3"),
    .timeLimit(.minutes(2)))
struct CallerInspectionTests {
    /// The relay ends when its client asks for the owner of a name.
    ///
    /// It relays no descriptors, so the bus identifies a process only by its number.
    private static let relay = BusRelay.program(
        step: """
            if b"GetNameOwner" in data:
                print("asked")
                sys.exit()
            """)

    /// The start time of this process in clock ticks: field 22 of `/proc/self/stat`, see proc(5).
    private static var start: UInt64? {
        let line = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
        return line?.split(separator: ")").last?.split(separator: " ").dropFirst(19).first
            .flatMap { UInt64($0) }
    }

    /// If the rights counted as found, the caller would stay sandboxed until its connection ends.
    @Test func `a caller's rights stay unknown if the bus is lost during the inspection`()
        async throws
    {
        let bus = try PrivateBus()
        let caller = try await BusConnection.open(on: bus, name: "caller")
        let name = try #require(await caller.uniqueName)
        let path = bus.directory + "/relay"
        let relay = try RunningProgram(
            "/usr/bin/python3", ["-u", "-c", Self.relay, path, bus.directory + "/run/bus"])
        try await relay.lines.first("the relay") { $0 == "listening" }
        let connection = BusConnection(
            address: try BusAddress(socketPath: path), reactor: Reactor.started("inspection"),
            options: .init { $0.openTimeout = .seconds(60) })
        try await connection.open()
        // The inspection asks for the owner if the process began in the tick of the first sighting.
        var ages = ConnectionAges()
        ages.recordSighting(":1.1000", at: try #require(Self.start))
        let inspection = CallerInspection(connection: connection, ages: Locked(ages))
        #expect(await inspection.rights(of: name) == nil)
        try await relay.lines.first("the question") { $0 == "asked" }
        await connection.close()
        await caller.close()
    }
}
