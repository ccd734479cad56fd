import Foundation
import StoreSupport
import Testing

@testable import NotificationStore

/// A large transaction makes a large log, so the reader must not keep the whole log in memory.
@Suite(.timeLimit(.minutes(2))) struct WriteAheadLogTests {
    @Test
    func `a log in parts gives the same pages, and the reader keeps less than one frame in memory`()
        async throws
    {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for index in 0..<20 { try await store.add(.sample("r\(index)")) }
        let intact = try Data(contentsOf: URL(filePath: store.layout.log))
        store.close()
        for damage in [nil, 8, intact.count / 2] as [Int?] {
            var log = intact
            if let damage { log[damage] ^= 1 }
            var whole = WriteAheadLog()
            whole.add(log)
            #expect(whole.isDamaged == (damage != nil))
            #expect(!whole.pages.isEmpty)
            for size in [31, 4_119, 4_121, 100_000] {
                var (parts, mostKept) = (WriteAheadLog(), 0)
                for start in stride(from: 0, to: log.count, by: size) {
                    parts.add(log[start..<min(start + size, log.count)])
                    mostKept = max(mostKept, parts.rest.count)
                }
                #expect(parts.pages == whole.pages, "parts of \(size)")
                #expect(parts.isDamaged == whole.isDamaged, "parts of \(size)")
                #expect(parts.size == log.count)
                #expect(mostKept < 24 + 4_096)
            }
        }
    }

    /// Some commits are not synced, so a power cut during the next commit may tear such a commit.
    ///
    /// A log with a torn commit must not lead to a rescue.
    @Test func `a torn commit is damage only if a whole commit follows`() async throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for index in 0..<3 { try await store.add(.sample("r\(index)")) }
        var log = try Data(contentsOf: URL(filePath: store.layout.log))
        store.close()
        let frameSize = 24 + 4_096
        // The last frame of a transaction has the size of the database in its header.
        let ends = stride(from: 32, to: log.count, by: frameSize)
            .filter { start in log[start + 4..<start + 8].contains { $0 != 0 } }
            .map { $0 + frameSize }.suffix(3)
        let (before, torn, whole) = (ends[ends.startIndex], ends[ends.startIndex + 1], log.count)
        try #require(ends.last == whole && torn - before > frameSize && whole - torn > frameSize)
        var accepted = WriteAheadLog()
        accepted.add(log[..<before])
        log.replaceSubrange(before..<before + 4_096, with: Data(count: 4_096))
        for end in [torn, torn + frameSize, whole - frameSize, whole] {
            var left = WriteAheadLog()
            left.add(log[..<end])
            #expect(left.isDamaged == (end == whole), "\(end) of \(whole) bytes")
            if !left.isDamaged { #expect(left.pages == accepted.pages) }
        }
    }
}
