import DesktopBus
import Foundation
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// `Snooze` and `AddMany` on the wire.
@Suite struct SnoozeCallTests {
    @Test func aSnoozeReachesTheServiceAndItsDateOrErrorComesBack() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let date = try await client.snooze("tea", of: .tocsin, for: 0.5)
        #expect(date == Instant(microseconds: 3_000_000))
        #expect(await center.service.calls.last == .snooze("tea", 0.5))
        let error = NotificationError(.invalidArgument, "It is not pending. Look.")
        await center.service.fail(error)
        await #expect(throws: error) { try await client.snooze("tea", of: .tocsin, for: 1) }
    }

    @Test func filesGoToTheRequestsTheyBelongTo() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        var items: [RequestWithFiles] = []
        for (number, sizes) in [[3, 1], [], [2]].enumerated() {
            var request = NotificationRequest(
                identifier: "r\(number)", content: NotificationContent(title: "Tea"))
            var files: [OpenFile] = []
            for size in sizes {
                let path = "\(center.bus.directory)/\(number)-\(size)"
                try Data(repeating: 7, count: size).write(to: URL(filePath: path))
                files.append(try OpenFile(path: path))
                request.content.attachments.append(
                    .init(identifier: "\(size)", path: path, type: "public.png"))
            }
            items.append(RequestWithFiles(request, files: files))
        }
        try await client.add(items, for: .tocsin)
        #expect(await center.service.calls.last == .addMany(["r0", "r1", "r2"]))
        #expect(await center.service.requests == items.map(\.request))
        #expect(await center.service.attachmentSizes == [3, 1, 2])
        items[1].request.content.attachments = items[2].request.content.attachments
        let error = await #expect(throws: NotificationError.self) {
            try await client.add(items, for: .tocsin)
        }
        #expect(error?.code == .invalidArgument)
    }
}
