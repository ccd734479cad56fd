import Foundation
import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@testable import NotificationStore

@Suite("One store, one process", .timeLimit(.minutes(2)))
struct StoreLockTests {
    @Test
    func `the second opener fails at once and says why`() throws {
        let root = try TemporaryDirectory()
        let layout = StoreLayout(directory: root.path)
        let first = try CenterStore(layout: layout, bootID: "b", rules: .engine(.sample)) { _ in }
        let error = #expect(throws: NotificationError.self) {
            try CenterStore(layout: layout, bootID: "b", rules: .engine(.sample)) { _ in }
        }
        #expect(error?.code == .storeLocked)
        #expect(error?.message.contains("another process") == true)
        first.close()
        #expect(throws: Never.self) {
            try CenterStore(layout: layout, bootID: "b", rules: .engine(.sample)) { _ in }
        }
    }

    @Test
    func `a process that is killed leaves no lock behind`() async throws {
        let root = try TemporaryDirectory()
        let lock = root.path + "/lock"
        await #expect(processExitsWith: .signal(SIGKILL)) { [lock = lock as String] in
            let held = try StoreLock(path: lock)
            #expect(throws: NotificationError.self) { try StoreLock(path: lock) }
            withExtendedLifetime(held) { _ = kill(getpid(), SIGKILL) }
        }
        #expect(FileManager.default.fileExists(atPath: lock))
        #expect(throws: Never.self) { try StoreLock(path: lock) }
    }

    @Test
    func `a released lock is free although a forked child still has its descriptor`() throws {
        let root = try TemporaryDirectory()
        let lock = root.path + "/lock"
        let held = try StoreLock(path: lock)
        let files = FileManager.default
        let descriptor = try files.contentsOfDirectory(atPath: "/proc/self/fd").first {
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == lock
        }
        // As after a fork: one description, two descriptors.
        let copy = dup(try #require(descriptor.flatMap { Int32($0) }))
        defer { close(copy) }
        held.release()
        #expect(throws: Never.self) { try StoreLock(path: lock) }
    }

    /// A wait for a lock that could not be waited for ended at once, and was begun again without end.
    @Test func `whoever cannot wait for a lock is told why`() async throws {
        let root = try TemporaryDirectory()
        let layout = StoreLayout(directory: root.path)
        let errors = Recording<NotificationError?>()
        let watch = StoreRelease(layout)
        watch.onRelease { errors.append($0) }
        #expect(try await errors.first(1) == [nil], "without a file the store is free")
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
        let lock = root.path + "/lock"
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: "/dev/null")
        let error = #expect(throws: NotificationError.self) { try StoreLock(path: lock) }
        #expect(error?.code == .storeUnavailable)
    }
}
