import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import NotificationEngine

@Suite(
    "A full disk", .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs is not allowed here"))
struct DiskFullTests {
    @Test("New requests are refused, those that are stored still fire, and space ends it")
    func full() async throws {
        let disk = try SmallDisk(megabytes: 24)
        defer { disk.unmount() }
        let clock = ManualClock()
        let fixture = try EngineFixture(clock: clock)
        let engine = try await fixture.start(layout: StoreLayout(directory: disk.path + "/store"))
        for index in 0..<200 {
            try await engine.add(.after(60, "r\(index)"), attachments: [], for: .tocsin)
        }
        try disk.fill()
        var refusal: NotificationError?
        for index in 0..<2_000 where refusal == nil {
            do {
                var request = NotificationRequest.after(7_200, "late\(index)")
                request.content.body = String(repeating: "x", count: 20_000)
                try await engine.add(request, attachments: [], for: .tocsin)
            } catch {
                refusal = error
            }
        }
        #expect(refusal?.code == .noSpace)
        #expect(refusal?.message.contains("disk is full") == true)
        #expect(refusal?.message.contains("free at least") == true, "\(refusal?.message ?? "")")
        clock.advance(by: .seconds(60))
        try await fixture.presenter.presentations.first(200)
        try await engine.rest()
        #expect(fixture.presenter.titles.prefix(200) == (0..<200).map { "r\($0)" }[...])
        #expect(try await engine.delivered(of: nil).count == 100)
        await #expect(throws: NotificationError.self, "still full") {
            try await engine.add(.after(60, "still"), attachments: [], for: .tocsin)
        }
        try disk.empty()
        try await engine.add(.after(60, "again"), attachments: [], for: .tocsin)
        #expect(try await engine.pending(of: .tocsin).contains { $0.request.identifier == "again" })
        await engine.stop()
    }

    @Test("An attachment for which there is no space refuses its request alone")
    func attachment() async throws {
        let disk = try SmallDisk(megabytes: 12)
        defer { disk.unmount() }
        let fixture = try EngineFixture(presenter: RecordingPresenter(isAvailable: false))
        let layout = StoreLayout(directory: disk.path + "/store")
        let engine = try await fixture.start(layout: layout)
        let large = try fixture.directory.write(
            TestPNG.bytes + [UInt8](repeating: 7, count: 9 << 20), to: "a.png")
        var request = NotificationRequest.after(60, "a")
        request.content.attachments = [
            NotificationAttachment(identifier: "i", path: large, type: "public.png")
        ]
        let illustrated = request
        let file = try OpenFile(path: large)
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(illustrated, attachments: [file], for: .tocsin)
        }
        #expect(error?.code == .noSpace)
        #expect(try FileManager.default.contentsOfDirectory(atPath: layout.attachments).isEmpty)
        try await engine.add(.after(60, "b"), attachments: [], for: .tocsin)
        await engine.stop()
    }
}

/// A tmpfs of a few megabytes.
struct SmallDisk {
    private let directory: TemporaryDirectory
    var path: String { directory.path + "/disk" }

    /// Mounting asks for root, and for a container that lets it.
    static let isPossible: Bool = {
        guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        disk.unmount()
        return true
    }()

    init(megabytes: Int) throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m,mode=700") == 0 else {
            throw HarnessError("mount: \(String(cString: strerror(errno)))")
        }
    }

    /// Leaves no free page.
    func fill() throws {
        let file = open(path + "/ballast", O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let chunk = [UInt8](repeating: 1, count: 4_096)
        while write(file, chunk, chunk.count) == chunk.count {}
        guard errno == ENOSPC else { throw HarnessError("the disk did not fill up") }
    }

    func empty() throws {
        try FileManager.default.removeItem(atPath: path + "/ballast")
    }

    func unmount() {
        umount2(path, Int32(MNT_DETACH))
    }
}
