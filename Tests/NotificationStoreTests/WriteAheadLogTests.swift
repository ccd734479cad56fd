import Foundation
import StoreSupport
import Testing

@testable import NotificationStore

/// The reader used to load and copy the whole log, although a large transaction makes a large log.
@Suite(.timeLimit(.minutes(2))) struct WriteAheadLogTests {
    @Test func `a log read in parts has the same pages, and the reader keeps no whole frame`()
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
}
