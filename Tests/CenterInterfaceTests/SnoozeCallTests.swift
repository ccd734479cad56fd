import CenterInterface
import DesktopBus
import Foundation
import NotificationModel
import ScriptedService
import TestSupport
import Testing

/// `Snooze` and `AddMany` on the wire.
@Suite(.timeLimit(.minutes(2))) struct SnoozeCallTests {
    @Test func `a snooze reaches the service and its date or error comes back`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let date = Instant(microseconds: 3_000_000)
        await center.service.script(Members.snooze) { _ in date }
        #expect(try await client.snooze("tea", of: .tocsin, for: 0.5) == date)
        let snoozed = try #require(center.service.inputs(of: Members.snooze).last)
        #expect(snoozed == (.tocsin, "tea", 0.5))
        let error = NotificationError(.invalidArgument, "It is not pending. Look.")
        await center.service.fail(Members.snooze, with: error)
        await #expect(throws: error) { try await client.snooze("tea", of: .tocsin, for: 1) }
    }

    @Test func `files and next dates arrive with the requests to which they belong`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let dates = [nil, Instant(microseconds: 3_000_000), nil]
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
            items.append(RequestWithFiles(request, files: files, nextFire: dates[number]))
        }
        try await client.add(items, for: .tocsin)
        let added = try #require(center.service.inputs(of: Members.addMany).last)
        #expect(added.1.map(\.request) == items.map(\.request))
        #expect(added.1.map(\.nextFire) == dates)
        #expect(try added.2.map { try $0.size } == [3, 1, 2])
        items[1].request.content.attachments = items[2].request.content.attachments
        let error = await #expect(throws: NotificationError.self) {
            try await client.add(items, for: .tocsin)
        }
        #expect(error?.code == .invalidArgument)
    }
}
