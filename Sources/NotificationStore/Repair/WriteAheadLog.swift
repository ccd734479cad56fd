internal import Foundation

/// Reads SQLite's write-ahead log, even behind a damaged frame.
///
/// It finds the newest content of each page in whole transactions.
///
/// SQLite itself drops all frames behind a damaged one, and reports nothing. SQLite accepts a frame
/// if its salts equal those of the header and its running checksum fits
/// (sqlite.org/fileformat2.html, "The Write-Ahead Log").
///
/// A rejected frame alone is not damage: a killed process or a power cut leaves an unfinished
/// transaction, which later transactions overwrite in part. The log is damaged if SQLite rejects a
/// commit that was acknowledged. A commit was acknowledged if another frame continues its running
/// checksum, because SQLite begins a transaction only after the previous commit is on the disk.
struct WriteAheadLog {
    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let frameSize = frameHeaderSize + StoreImage.pageSize
    private static let magic: UInt32 = 0x377F_0682

    /// Whether SQLite would drop a transaction that was acknowledged.
    let isDamaged: Bool
    /// The place of each page's newest content in the log, from whole transactions only.
    let pages: [UInt32: Range<Int>]

    init(_ bytes: Data) {
        guard bytes.count > Self.headerSize else {
            (isDamaged, pages) = (false, [:])
            return
        }
        var reader = Reader(bytes)
        reader.readValid()
        let accepted = reader.pages
        reader.readBehindDamage()
        isDamaged = reader.isCommitContinued
        // Pages behind the damage may be damaged too: the checksum of each row shows that.
        pages = isDamaged ? reader.pages : accepted
    }

    /// Reads the frames of one log in order.
    ///
    /// The pages of a transaction count only with its commit.
    private struct Reader {
        let bytes: [UInt8]
        let isBigEndian: Bool
        let isHeaderDamaged: Bool
        let salts: (UInt32, UInt32)
        var sums: (UInt32, UInt32)
        /// The number of the next frame to read.
        var next = 0
        var pages: [UInt32: Range<Int>] = [:]
        /// Whether a frame continues a commit that SQLite rejects.
        var isCommitContinued = false
        private var uncommitted: [UInt32: Range<Int>] = [:]

        init(_ log: Data) {
            bytes = Array(log)
            isBigEndian = Self.word(bytes, 0) & 1 == 1
            let size = Int(Self.word(bytes, 8))
            let isPlausible =
                Self.word(bytes, 0) & ~1 == WriteAheadLog.magic && size == StoreImage.pageSize
            sums = Self.sum(bytes, 0..<24, (0, 0), isBigEndian: isBigEndian)
            isHeaderDamaged =
                !isPlausible || sums != (Self.word(bytes, 24), Self.word(bytes, 28))
            // If the header is damaged, read the salts from the first frame, which repeats them.
            let first = isHeaderDamaged ? WriteAheadLog.headerSize + 8 : 16
            salts =
                bytes.count >= first + 8
                ? (Self.word(bytes, first), Self.word(bytes, first + 4)) : (0, 0)
        }

        private func start(_ frame: Int) -> Int? {
            let start = WriteAheadLog.headerSize + frame * WriteAheadLog.frameSize
            return start + WriteAheadLog.frameSize <= bytes.count ? start : nil
        }

        private func isOfThisLog(_ start: Int) -> Bool {
            (Self.word(bytes, start + 8), Self.word(bytes, start + 12)) == salts
        }

        /// Reads the frames that SQLite accepts.
        mutating func readValid() {
            guard !isHeaderDamaged else { return }
            while let start = start(next) {
                let sum = sum(ofFrameAt: start, after: sums)
                guard isOfThisLog(start), sum == storedSum(start) else { return }
                sums = sum
                addFrame(start)
                next += 1
            }
        }

        /// Reads on behind a frame that SQLite rejects.
        ///
        /// Frames of an earlier log, which this log overwrites, have other salts.
        mutating func readBehindDamage() {
            // The checksums after the previous frame, as computed and as stored: one flipped bit
            // leaves one of them right.
            var before: [(UInt32, UInt32)] = [sums]
            // The first frame of this loop continues no rejected commit: it is the first frame that
            // SQLite rejects.
            var isAfterCommit = false
            while let start = start(next) {
                let isOfThisLog = isOfThisLog(start)
                let stored = storedSum(start)
                if isAfterCommit, isOfThisLog,
                    before.contains(where: { sum(ofFrameAt: start, after: $0) == stored })
                {
                    isCommitContinued = true
                }
                before = [stored, sum(ofFrameAt: start, after: before[0])]
                isAfterCommit = Self.word(bytes, start + 4) != 0
                if isOfThisLog { addFrame(start) }
                next += 1
            }
        }

        private func storedSum(_ start: Int) -> (UInt32, UInt32) {
            (Self.word(bytes, start + 16), Self.word(bytes, start + 20))
        }

        private func sum(
            ofFrameAt start: Int, after sums: (UInt32, UInt32)
        ) -> (UInt32, UInt32) {
            let head = Self.sum(bytes, start..<start + 8, sums, isBigEndian: isBigEndian)
            let content = start + WriteAheadLog.frameHeaderSize..<start + WriteAheadLog.frameSize
            return Self.sum(bytes, content, head, isBigEndian: isBigEndian)
        }

        private mutating func addFrame(_ start: Int) {
            let page = Self.word(bytes, start)
            uncommitted[page] =
                start + WriteAheadLog.frameHeaderSize..<start + WriteAheadLog.frameSize
            guard Self.word(bytes, start + 4) != 0 else { return }
            pages.merge(uncommitted) { _, new in new }
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
}
