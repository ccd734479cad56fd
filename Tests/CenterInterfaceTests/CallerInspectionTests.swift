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

    /// If the inspection returned rights, the caller would be treated as sandboxed until its
    /// connection ends.
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
        // The process began in the tick of this sighting, so the inspection asks for the owner.
        var ages = ConnectionAges()
        ages.recordSighting(":1.1000", at: try #require(Self.start))
        let inspection = CallerInspection(connection: connection, ages: Locked(ages))
        #expect(await inspection.rights(of: name) == nil)
        try await relay.lines.first("the question") { $0 == "asked" }
        await connection.close()
        await caller.close()
    }
}

/// The root folder of a sandboxed caller is on a file system that the sandbox serves, and hangs.
@Suite(.timeLimit(.minutes(2))) struct HangingCallerTests {
    /// Makes an inspection that reads the mounts of this process from a pipe.
    ///
    /// The pipe blocks its reader, as a file system that hangs does.
    private static func inspection(
        on bus: PrivateBus, _ ages: Locked<ConnectionAges> = Locked(ConnectionAges())
    ) async throws -> (inspection: CallerInspection, pipe: String) {
        let root = bus.directory + "/proc"
        let folder = "\(root)/\(getpid())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let pipe = folder + "/mountinfo"
        #expect(mkfifo(pipe, 0o600) == 0)
        let connection = try await BusConnection.open(on: bus, name: "inspection")
        return (CallerInspection(connection: connection, ages: ages, root: root), pipe)
    }

    /// Opens a pipe when a reader has opened it; the reader then waits for data.
    private static func openWhenRead(_ path: String) async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: open(path, O_WRONLY)) }
        }
    }

    private static func call(_ interface: InterfaceName, _ member: MemberName) -> MethodCall {
        MethodCall(
            destination: CenterName.bus, path: CenterName.path, interface: interface,
            member: member)
    }

    /// If the service read the files on its own thread, one sandbox could stop the whole centre.
    @Test func `a caller whose file system hangs does not delay other callers`() async throws {
        let bus = try PrivateBus()
        let (inspection, pipe) = try await Self.inspection(on: bus)
        let center = try await RemoteServiceTests.Center(on: bus) {
            await inspection.rights(of: $0)
        }
        let caller = try await BusConnection.open(on: bus, name: "caller")
        let other = try await BusConnection.open(on: bus, name: "other")
        let call = Task { try await caller.call(Self.call(CenterName.interface, "Status")) }
        let writer = await Self.openWhenRead(pipe)
        _ = try await other.call(Self.call("org.freedesktop.DBus.Peer", "Ping"))
        close(writer)
        #expect(try await call.value.arguments.count == 1)
        withExtendedLifetime(center) {}
    }

    /// A process that began after the caller was first seen is not the caller, although it may have
    /// the caller's number.
    @Test func `a caller is recorded as seen before its file system hangs`() async throws {
        let bus = try PrivateBus()
        let ages = Locked(ConnectionAges())
        let (inspection, pipe) = try await Self.inspection(on: bus, ages)
        let caller = try await BusConnection.open(on: bus, name: "caller")
        let name = try #require(await caller.uniqueName)
        let rights = Task { await inspection.rights(of: name) }
        let writer = await Self.openWhenRead(pipe)
        #expect(ages.withLock { $0.latestStart(of: name) } != nil)
        close(writer)
        _ = await rights.value
        await caller.close()
    }
}
