import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Fault 58: each attachment of a call is a descriptor, and a process may have few.
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

    /// Adds many at once; gives those that were taken, and the errors of the others.
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

    @Test(
        .disabled(
            "known fault: in about one of five runs a daemon whose connection was dropped takes no add"
        ))
    func aDaemonWithFewDescriptorsRecoversFromMoreFilesThanItMayHaveOpen() async throws {
        let (count, limit) = (400, 64)
        let bus = try PrivateBus()
        // Without the descriptors that programs inherit from the other tests of this process.
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
        let picture = bus.directory + "/picture.png"
        try Data(TestPNG.bytes).write(to: URL(fileURLWithPath: picture))
        let connection = try await BusConnection.open(on: bus, name: "files")
        let center = HostedService.client(over: connection)
        #expect(await Self.add(1, with: picture, to: center).taken == ["r0"])
        // The first flood makes libdispatch open three descriptors of its own, once and for all.
        _ = await Self.add(count, with: picture, to: center)
        while !Task.isCancelled, await Self.add(1, with: picture, to: center).taken.isEmpty {}
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        let before = try process.descriptors
        let (taken, refusals) = await Self.add(count, with: picture, to: center)
        print("\(count) files for a daemon with \(limit) descriptors: \(taken.count) taken")
        #expect(taken.count + refusals.count == count)
        // Nobody is told that it is the file that is wrong.
        #expect(refusals.allSatisfy { $0.code != .attachmentInvalid }, "\(refusals.first as Any)")
        // It comes back by itself, and has what it said it took.
        while !Task.isCancelled, await Self.add(1, with: picture, to: center).taken.isEmpty {}
        let pending = try await center.pending(of: .tocsin).map(\.request)
        #expect(taken.union(["r0"]).isSubset(of: pending.map(\.identifier)))
        #expect(
            pending.flatMap(\.content.attachments).allSatisfy {
                FileManager.default.fileExists(atPath: $0.path)
            })
        for _ in 0..<2_000 where try process.descriptors > before { _ = try await center.status() }
        #expect(try process.descriptors <= before, "nothing was left open")
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0, "\(daemon.said)")
        await connection.close()
    }
}
