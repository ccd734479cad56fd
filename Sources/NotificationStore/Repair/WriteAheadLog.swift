internal import Foundation

/// Reads SQLite's write-ahead log, even after a damaged frame.
///
/// It finds the newest content of each page, from whole transactions only.
///
/// SQLite itself drops all frames after a damaged one, and reports nothing. SQLite accepts a frame
/// if its salts equal those of the header and its running checksum fits. The running checksum
/// covers all frames up to this frame (sqlite.org/fileformat2.html, "The Write-Ahead Log").
///
/// A rejected frame alone is not damage: a killed process or a power cut leaves an unfinished
/// transaction, which later transactions overwrite in part. The log is damaged if SQLite rejects a
/// commit and a whole later transaction continues the commit's running checksum. That transaction
/// may have been acknowledged, and its sync put all earlier frames on the disk.
///
/// A part of a later transaction does not prove damage. Some commits are not synced, so their
/// frames and the frames of the next transaction may reach the disk in any order.
struct WriteAheadLog {
    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let frameSize = frameHeaderSize + StoreImage.pageSize
    private static let magic: UInt32 = 0x377F_0682

    /// Whether SQLite would drop a transaction that was acknowledged.
    private(set) var isDamaged = false
    /// Whether the disk could read all blocks of the log.
    private(set) var isWhole = true
    /// The bytes after the last whole frame.
    private(set) var rest: [UInt8] = []
    /// The place of `rest` in the log.
    private var place = 0
    private var isBigEndian = false
    private var isHeaderDamaged = false
    private var salts: (UInt32, UInt32) = (0, 0)
    private var sums: (UInt32, UInt32) = (0, 0)
    /// The place of each page's newest content, from transactions with a commit.
    private var committed: [UInt32: Range<Int>] = [:]
    /// The pages of the transaction whose commit was not read yet.
    private var uncommitted: [UInt32: Range<Int>] = [:]
    /// The committed pages before the first frame that SQLite rejects; nil if it accepts all.
    private var accepted: [UInt32: Range<Int>]?
    /// The checksums after the previous frame, as computed and as stored: one flipped bit leaves
    /// one of them right.
    private var before: [(UInt32, UInt32)] = []
    private var isAfterCommit = false
    /// Whether the frames since a rejected commit continue its checksum.
    private var continuesCommit = false

    /// Reads the log at a path; nil if there is none.
    static func read(_ path: String) throws -> Self? {
        var log = Self()
        guard let isWhole = try DiskBlocks.read(path, into: { log.add($0) }) else { return nil }
        log.isWhole = isWhole
        return log
    }

    /// The place of each page's newest content in the log, from whole transactions only.
    ///
    /// Pages after the damage may be damaged too: the checksum of each row shows that.
    var pages: [UInt32: Range<Int>] { isDamaged ? committed : accepted ?? committed }

    /// The number of bytes that were read.
    var size: Int { place + rest.count }

    /// Reads the next part; a log may be large, so only the places of its pages stay in memory.
    mutating func add(_ part: Data) {
        rest += part
        var start = 0
        if place == 0 {
            guard rest.count >= Self.headerSize else { return }
            readHeader()
            start = Self.headerSize
        }
        while start + Self.frameSize <= rest.count {
            readFrame(start)
            start += Self.frameSize
        }
        rest.removeFirst(start)
        place += start
    }

    private mutating func readHeader() {
        isBigEndian = Self.word(rest, 0) & 1 == 1
        let isPlausible =
            Self.word(rest, 0) & ~1 == Self.magic && Self.word(rest, 8) == StoreImage.pageSize
        sums = Self.sum(rest, 0..<24, (0, 0), isBigEndian: isBigEndian)
        isHeaderDamaged = !isPlausible || sums != (Self.word(rest, 24), Self.word(rest, 28))
        salts = (Self.word(rest, 16), Self.word(rest, 20))
    }

    private mutating func readFrame(_ start: Int) {
        // If the header is damaged, read the salts from the first frame, which repeats them.
        if isHeaderDamaged, place + start == Self.headerSize {
            salts = (Self.word(rest, start + 8), Self.word(rest, start + 12))
        }
        guard accepted == nil else { return readBehindDamage(start) }
        let sum = sum(ofFrameAt: start, after: sums)
        if !isHeaderDamaged, isOfThisLog(start), sum == storedSum(start) {
            sums = sum
            addFrame(start)
        } else {
            accepted = committed
            before = [sums]
            readBehindDamage(start)
        }
    }

    /// Reads a frame that SQLite rejects, or one behind such a frame.
    ///
    /// Frames of an earlier log, which this log overwrites, have other salts.
    private mutating func readBehindDamage(_ start: Int) {
        let isOfThisLog = isOfThisLog(start)
        let stored = storedSum(start)
        let isCommit = Self.word(rest, start + 4) != 0
        continuesCommit =
            (isAfterCommit || continuesCommit) && isOfThisLog
            && before.contains { sum(ofFrameAt: start, after: $0) == stored }
        if continuesCommit, isCommit { isDamaged = true }
        before = [stored, sum(ofFrameAt: start, after: before[0])]
        isAfterCommit = isCommit
        if isOfThisLog { addFrame(start) }
    }

    private func isOfThisLog(_ start: Int) -> Bool {
        (Self.word(rest, start + 8), Self.word(rest, start + 12)) == salts
    }

    private func storedSum(_ start: Int) -> (UInt32, UInt32) {
        (Self.word(rest, start + 16), Self.word(rest, start + 20))
    }

    private func sum(
        ofFrameAt start: Int, after sums: (UInt32, UInt32)
    ) -> (UInt32, UInt32) {
        let head = Self.sum(rest, start..<start + 8, sums, isBigEndian: isBigEndian)
        let content = start + Self.frameHeaderSize..<start + Self.frameSize
        return Self.sum(rest, content, head, isBigEndian: isBigEndian)
    }

    private mutating func addFrame(_ start: Int) {
        let content = place + start + Self.frameHeaderSize
        uncommitted[Self.word(rest, start)] = content..<content + StoreImage.pageSize
        guard Self.word(rest, start + 4) != 0 else { return }
        committed.merge(uncommitted) { _, new in new }
        uncommitted = [:]
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16
            | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
    }

    private static func sum(
        _ bytes: [UInt8], _ range: Range<Int>, _ start: (UInt32, UInt32), isBigEndian: Bool
    ) -> (UInt32, UInt32) {
        var (first, second) = start
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            let (left, right) = (word(bytes, offset), word(bytes, offset + 4))
            first &+= (isBigEndian ? left : left.byteSwapped) &+ second
            second &+= (isBigEndian ? right : right.byteSwapped) &+ first
        }
        return (first, second)
    }
}
