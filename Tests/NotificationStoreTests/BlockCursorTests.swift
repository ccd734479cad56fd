import Testing

@testable import NotificationStore

@Suite struct BlockCursorTests {
    private static let (block, chunk) = (BlockCursor.blockSize, BlockCursor.chunkSize)

    /// If a rescue did not skip a bad block at a chunk's start, it would read the block for ever.
    @Test(arguments: [0, block, chunk - block, chunk, 2 * chunk])
    func `a block that cannot be read is skipped, and everything else is read`(bad: Int) {
        let size = 2 * Self.chunk + 10
        var cursor = BlockCursor(size: size)
        var skipped: [Range<Int>] = []
        var read: [Range<Int>] = []
        var attempts = 0
        while let part = cursor.next, attempts < 1_000 {
            attempts += 1
            if !part.contains(bad) {
                read.append(part)
                cursor.advance(by: part.count)
            } else if cursor.readFailed() == .skip {
                skipped.append(part)
            }
        }
        #expect(cursor.next == nil)
        #expect(skipped == [bad..<min(bad + Self.block, size)])
        #expect(read.reduce(0) { $0 + $1.count } + skipped.reduce(0) { $0 + $1.count } == size)
    }

    @Test func `an unreadable file is skipped block by block to its end`() {
        var cursor = BlockCursor(size: Self.chunk + 1)
        var skipped = 0
        while let part = cursor.next, skipped <= Self.chunk {
            if cursor.readFailed() == .skip { skipped += part.count }
        }
        #expect(skipped == Self.chunk + 1)
    }

    @Test func `after a short read, the cursor continues where the read ended`() {
        var cursor = BlockCursor(size: 100)
        #expect(cursor.next == 0..<100)
        cursor.advance(by: 40)
        #expect(cursor.next == 40..<100)
        cursor.advance(by: 60)
        #expect(cursor.next == nil)
    }
}
