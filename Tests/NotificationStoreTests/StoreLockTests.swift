import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("One store, one process", .timeLimit(.minutes(2)))
struct StoreLockTests {
    private static func open(_ directory: String) throws -> CenterStore {
        try CenterStore(
            layout: StoreLayout(directory: directory), bootID: "b", rules: .engine(.sample)
        ) { _ in }
    }

    @Test
    func `opening a store a second time fails at once with the reason`() throws {
        let root = try TemporaryDirectory()
        let first = try Self.open(root.path)
        let error = #expect(throws: NotificationError.self) { try Self.open(root.path) }
        #expect(error?.code == .storeLocked)
        #expect(error?.message.contains("another process") == true)
        first.close()
        #expect(throws: Never.self) { try Self.open(root.path) }
    }

    @Test
    func `a killed process leaves its store unlocked`() async throws {
        let root = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = root.path as String] in
            let held = try StoreLockTests.open(path)
            #expect(throws: NotificationError.self) { try StoreLockTests.open(path) }
            withExtendedLifetime(held) { _ = kill(getpid(), SIGKILL) }
        }
        #expect(FileManager.default.fileExists(atPath: StoreLayout(directory: root.path).lock))
        #expect(throws: Never.self) { try Self.open(root.path) }
    }

    @Test
    func `a released lock is free although a forked child still has its descriptor`() throws {
        let root = try TemporaryDirectory()
        let lock = StoreLayout(directory: root.path).lock
        let held = try Self.open(root.path)
        let files = FileManager.default
        let descriptor = try files.contentsOfDirectory(atPath: "/proc/self/fd").first {
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == lock
        }
        // The state after a fork: one open file, two descriptors.
        let copy = dup(try #require(descriptor.flatMap { Int32($0) }))
        defer { close(copy) }
        held.close()
        #expect(throws: Never.self) { try Self.open(root.path) }
    }

    /// Without an error, the caller would wait again and again, and each wait would end at once.
    @Test func `a caller that cannot wait for a lock gets the reason`() async throws {
        let root = try TemporaryDirectory()
        let layout = StoreLayout(directory: root.path)
        let errors = Recording<NotificationError?>()
        let watch = StoreLockWatch(layout)
        watch.onRelease { errors.append($0) }
        #expect(try await errors.first(1) == [nil], "without a lock file the store is free")
        try FileManager.default.createSymbolicLink(
            atPath: layout.lock, withDestinationPath: "/dev/null")
        watch.onRelease { errors.append($0) }
        let error = try #require(try await errors.first(2)[1])
        #expect(error.code == .storeUnavailable)
        #expect(error.message.contains(layout.lock))
    }

    @Test
    func `a lock file that is a link is refused`() throws {
        let root = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: StoreLayout(directory: root.path).lock, withDestinationPath: "/dev/null")
        let error = #expect(throws: NotificationError.self) { try Self.open(root.path) }
        #expect(error?.code == .storeUnavailable)
    }
}
