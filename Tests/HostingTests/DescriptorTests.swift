import CenterInterface
import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Fault 58 of `Tests/Faults.md`: a daemon runs out of descriptors.
///
/// Each attachment of a call uses a descriptor, and the system limits the descriptors of a process.
@Suite(.timeLimit(.minutes(2))) struct DescriptorTests {
    private static func request(_ identifier: String, with path: String) -> NotificationRequest {
        var content = NotificationContent(title: identifier)
        content.attachments = [
            NotificationAttachment(identifier: "p", path: path, type: "public.png")
        ]
        return NotificationRequest(
            identifier: identifier, content: content,
            trigger: .interval(seconds: 10_000, repeats: false))
    }

    /// Adds `count` requests at once.
    ///
    /// Returns the identifiers of the accepted requests, and the errors of the refused requests.
    private static func add(
        _ count: Int, with path: String, to center: any NotificationService
    ) async -> (taken: Set<String>, refusals: [NotificationError]) {
        let refusals = Recording<NotificationError>()
        let taken = Recording<String>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let request = request("r\(number)", with: path)
                    do throws(NotificationError) {
                        let file = try OpenFile(path: path)
                        try await center.add(request, attachments: [file], for: .tocsin)
                        taken.append(request.identifier)
                    } catch {
                        refusals.append(error)
                    }
                }
            }
        }
        return (Set(taken.all), refusals.all)
    }

    /// Returns a call with `count` descriptors of the file at `path`.
    private static func call(
        _ member: MemberName, _ arguments: [BusValue], with path: String, times count: Int
    ) throws -> MethodCall {
        let file = try OpenFile(path: path)
        let files = try (0..<count).map { _ in
            BusValue.descriptor(try BusDescriptor(duplicating: file.descriptor))
        }
        return MethodCall(
            destination: CenterName.bus, path: CenterName.path, interface: CenterName.interface,
            member: member, arguments: arguments + [.array(element: "h", files)])
    }

    /// Makes all calls at the same time; returns each error with the index of its call.
    private static func flood(
        _ calls: [MethodCall], over connection: BusConnection
    ) async -> [Int: BusError] {
        let refusals = Recording<(Int, BusError)>()
        await withTaskGroup(of: Void.self) { group in
            for (number, call) in calls.enumerated() {
                group.addTask {
                    do throws(BusError) {
                        _ = try await connection.call(call)
                    } catch {
                        refusals.append((number, error))
                    }
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: refusals.all)
    }

    /// Calls `Add` many times at once, each time with one file; returns the accepted identifiers.
    private static func flood(
        _ count: Int, with path: String, over connection: BusConnection
    ) async throws -> Set<String> {
        let calls = try (0..<count).map { number in
            let request = NotificationRequest.record.busValue(of: request("r\(number)", with: path))
            return try call(
                "Add", [.string(ApplicationID.tocsin.rawValue), request], with: path, times: 1)
        }
        let refusals = await flood(calls, over: connection)
        // Each call was answered, so the daemon kept its connection.
        #expect(refusals.values.allSatisfy { $0.code == .limitsExceeded })
        return Set((0..<count).filter { refusals[$0] == nil }.map { "r\($0)" })
    }

    /// Waits until the daemon accepts a request with a file again.
    private static func waitForRoom(
        in center: any NotificationService, _ image: String
    ) async throws {
        try await polled(
            "a free descriptor", because: "a daemon does not signal that it has closed a file"
        ) {
            await add(1, with: image, to: center).taken.isEmpty ? nil : ()
        }
    }

    private static func daemon(
        with limit: Int, on bus: PrivateBus
    ) async throws -> RunningProgram {
        // Close the descriptors that a program inherits from the other tests of this process.
        let daemon = try RunningProgram(
            "bash",
            [
                "-c",
                """
                for number in $(ls /proc/self/fd); do
                    [ "$number" -le 2 ] || eval "exec $number>&-"
                done
                ulimit -n \(limit); exec '\(try HostedService.program("tocsind"))' 2>&1
                """,
            ], environment: bus.environment)
        try await daemon.lines.wait(for: "the daemon") { lines in
            lines.contains { $0.contains("serving") }
        }
        return daemon
    }

    /// Each `Add` keeps a file open in the daemon while it runs.
    ///
    /// Without a free descriptor, libdbus would drop the daemon's connection.
    @Test(arguments: [40, 64])
    func `a daemon still serves after it received calls with more files than it may open`(
        limit: Int
    ) async throws {
        let count = 400
        let bus = try PrivateBus()
        let daemon = try await Self.daemon(with: limit, on: bus)
        let image = bus.directory + "/picture.png"
        try Data(TestPNG.bytes).write(to: URL(fileURLWithPath: image))
        let connection = try await BusConnection.open(on: bus, name: "files")
        let center = HostedService.client(over: connection)
        // The first flood makes libdispatch open three descriptors, which stay open.
        var taken = try await Self.flood(count, with: image, over: connection)
        try await Self.waitForRoom(in: center, image)
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        let before = try process.descriptors
        for round in 0..<5 {
            let result = try await Self.flood(count, with: image, over: connection)
            print("flood \(round) of \(limit) descriptors: \(result.count) taken")
            taken.formUnion(result)
            try await Self.waitForRoom(in: center, image)
        }
        // Our own client sends no more calls at once than the daemon accepts.
        let (added, refusals) = await Self.add(count, with: image, to: center)
        print("\(count) files for a daemon with \(limit) descriptors: \(added.count) taken")
        #expect(added.count + refusals.count == count)
        #expect(limit < 64 || added.count == count, "\(refusals.first as Any)")
        // The lack of descriptors is not reported as a fault of the attached file.
        #expect(refusals.allSatisfy { $0.code != .attachmentInvalid }, "\(refusals.first as Any)")
        try await Self.waitForRoom(in: center, image)
        // The daemon has stored every request that it accepted, with its file.
        let pending = try await center.pending(of: .tocsin).map(\.request)
        #expect(taken.union(added).union(["r0"]).isSubset(of: pending.map(\.identifier)))
        #expect(
            pending.flatMap(\.content.attachments).allSatisfy {
                FileManager.default.fileExists(atPath: $0.path)
            })
        try await process.untilDescriptors(are: before, asking: center)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0, "\(daemon.said)")
        await connection.close()
    }

    /// The error must not be `org.freedesktop.DBus.Error.Failed`: the interface does not define it.
    @Test func `a call with more files than the daemon has free descriptors gets LimitsExceeded`()
        async throws
    {
        let bus = try PrivateBus()
        // The daemon can receive 16 files, but cannot duplicate all of them.
        let daemon = try await Self.daemon(with: 44, on: bus)
        let image = bus.directory + "/picture.png"
        try Data(TestPNG.bytes).write(to: URL(fileURLWithPath: image))
        let connection = try await BusConnection.open(on: bus, name: "files")
        let request = NotificationRequest.record.busValue(of: Self.request("a", with: image))
        let call = try Self.call(
            "Add", [.string(ApplicationID.tocsin.rawValue), request], with: image, times: 16)
        let refusals = await Self.flood([call], over: connection)
        #expect(
            refusals[0]?.remoteName?.rawValue == "org.freedesktop.DBus.Error.LimitsExceeded",
            "\(refusals)")
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0, "\(daemon.said)")
        await connection.close()
    }

    /// The daemon first waits until the calls of the lost connection have closed their files.
    ///
    /// Without free descriptors it could not open its store.
    @Test func `a daemon whose connection was dropped for lack of descriptors serves again`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await Self.daemon(with: 64, on: bus)
        let image = bus.directory + "/picture.png"
        try Data(TestPNG.bytes).write(to: URL(fileURLWithPath: image))
        let connection = try await BusConnection.open(on: bus, name: "files")
        let center = HostedService.client(over: connection)
        for _ in 0..<5 {
            let calls = try (0..<100).map { _ in
                try Self.call("Unheard", [], with: image, times: 16)
            }
            let refusals = await Self.flood(calls, over: connection)
            #expect(
                refusals.values.contains { $0.code == .noReply },
                "the bus dropped the daemon's connection")
            try await Self.waitForRoom(in: center, image)
        }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0, "\(daemon.said)")
        await connection.close()
    }
}
