internal import Foundation
internal import Glibc

/// One file with the content of a database and of its log, for a rescue.
///
/// The copy is made without SQLite, which would write to the database and its log.
///
/// The image has a valid header, the newest content of each page, and no log.
///
/// Format: sqlite.org/fileformat2.html, "The Database Header" and "B-tree Pages".
struct StoreImage {
    /// The page size of every store in bytes, which is SQLite's default.
    static let pageSize = 4_096
    private static let title = Array("SQLite format 3\0".utf8)

    let path: String

    /// Copies the database, then the pages of its log over it.
    ///
    /// Returns the application id, and whether all blocks of both files were read.
    func write(from database: String, log: String) throws -> (id: Int32, isWhole: Bool) {
        unlink(path)
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let isRead = try DiskBlocks.read(database, into: { try file.write(contentsOf: $0) })
        guard let isRead else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: database])
        }
        let isLogRead = try copyPages(of: log, to: file)
        try file.seek(toOffset: 68)
        let id = (try file.read(upToCount: 4) ?? Data()).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        try writeHeader(to: file)
        return (Int32(bitPattern: id), isRead && isLogRead)
    }

    /// Writes the pages of a log over those of the database; returns whether all blocks were read.
    ///
    /// The log is never in memory as a whole.
    private func copyPages(of log: String, to file: FileHandle) throws -> Bool {
        guard let content = try WriteAheadLog.read(log) else { return true }
        // A damaged page number must not make a file of terabytes.
        let most = try file.seekToEnd() + UInt64(content.size)
        let pages = content.pages.sorted { $0.value.lowerBound < $1.value.lowerBound }
        var (next, end) = (0, 0)
        let isCopied = try DiskBlocks.read(log) { part in
            let range = end..<end + part.count
            end = range.upperBound
            while next < pages.count, pages[next].value.lowerBound < end {
                let (page, place) = pages[next]
                // A page may begin in one part and end in the next one.
                let found = place.clamped(to: range)
                let offset = (UInt64(page) &- 1) &* UInt64(Self.pageSize)
                if page > 0, offset <= most {
                    try file.seek(toOffset: offset + UInt64(found.lowerBound - place.lowerBound))
                    try file.write(
                        contentsOf: part.dropFirst(found.lowerBound - range.lowerBound)
                            .prefix(found.count))
                }
                guard place.upperBound <= end else { return }
                next += 1
            }
        }
        return content.isWhole && isCopied == true
    }

    /// The first page, where the schema begins.
    func schemaPage() throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        return try file.read(upToCount: Self.pageSize) ?? Data()
    }

    func restore(schemaPage page: Data) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.write(contentsOf: page)
    }

    /// Removes the schema from the first page, and extends the file to this many pages.
    ///
    /// The caller then inserts the entries of a new schema. Each entry names the first page of a
    /// table, which may lie past the end of a file that damage has cut short. SQLite puts entries
    /// that do not fit on the first page on new pages at the file's end. In a short file, such a
    /// new page could be the first page of a table, and SQLite would read the entries as its rows.
    func clearSchema(pages: Int64) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let size = try file.seekToEnd()
        // A damaged number must not make a file of terabytes.
        let wanted = min(UInt64(clamping: pages), 16_384) * UInt64(Self.pageSize)
        if wanted > size {
            try file.truncate(atOffset: wanted)
            try writeHeader(to: file)
        }
        var page = try schemaPage().prefix(100)
        // An empty leaf of a table: its content begins at the end of the page.
        page += [0x0D, 0, 0, 0, 0, 0x10, 0, 0]
        page += Data(count: Self.pageSize - page.count)
        try restore(schemaPage: page)
    }

    /// The numbers of the rows on the readable pages of a table, which begins at the page `root`.
    ///
    /// Damage may add numbers of rows that do not exist.
    func rowNumbers(ofTableAt root: Int64) throws -> [Int64] {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let pages = (try file.seekToEnd()) / UInt64(Self.pageSize)
        var (rowNumbers, waiting, known) = ([Int64](), [UInt32(clamping: root)], Set<UInt32>())
        while let pageNumber = waiting.popLast() {
            // A damaged number may name a known page, or a page beyond the file's end. A file
            // system with a small limit for file sizes refuses to seek there.
            guard pageNumber > 0, pageNumber <= pages, known.insert(pageNumber).inserted else {
                continue
            }
            try file.seek(toOffset: (UInt64(pageNumber) - 1) * UInt64(Self.pageSize))
            let page = TablePage(bytes: Array(try file.read(upToCount: Self.pageSize) ?? Data()))
            rowNumbers += page.rowNumbers
            waiting += page.children
        }
        return rowNumbers.sorted()
    }

    /// Replaces the header: the former header may be damaged, and says that there is a log.
    private func writeHeader(to file: FileHandle) throws {
        let pages = UInt32(clamping: (try file.seekToEnd()) / UInt64(Self.pageSize))
        var header = [UInt8](repeating: 0, count: 100)
        header.replaceSubrange(0..<16, with: Self.title)
        // Page size 4096, no log, the fixed payload fractions.
        header.replaceSubrange(16..<24, with: [0x10, 0, 1, 1, 0, 64, 32, 32])
        func set(_ value: UInt32, at offset: Int) {
            for index in 0..<4 {
                header[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - index * 8))
            }
        }
        set(1, at: 24)
        set(pages, at: 28)
        set(1, at: 40)
        // Schema format 4 and UTF-8. SQLite trusts the number of pages if the values at 92 and 24
        // are equal.
        set(4, at: 44)
        set(1, at: 56)
        set(1, at: 92)
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(header))
    }

    /// Whether a header has the values that every store's header has; nil if there is no header.
    ///
    /// A header that the disk cannot read is not intact. SQLite could not open the database either,
    /// and its error would not show that the file is damaged.
    static func hasIntactHeader(_ path: String) -> Bool? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = read(file, &header, header.count)
        guard count == header.count else { return count < 0 && errno == EIO ? false : nil }
        return header[0..<16].elementsEqual(title) && header[16...17] == [0x10, 0]
            && header[18...19].allSatisfy { $0 == 1 || $0 == 2 }
            && header[20...23] == [0, 64, 32, 32]
            // Schema format 4 and UTF-8, or zeros while all tables are still in the log.
            && [[0, 0, 0, 4, 0, 0, 0, 1], Array(repeating: 0, count: 8)].contains(
                Array(header[44...47] + header[56...59]))
            // No automatic vacuum, and zeros in the reserved bytes.
            && header[52...55] == [0, 0, 0, 0]
            && header[64...67] == [0, 0, 0, 0] && header[72...91].allSatisfy { $0 == 0 }
    }
}

/// A page of a table; a page that is neither an interior page nor a leaf counts as empty.
///
/// The format is described in https://www.sqlite.org/fileformat2.html#b_tree_pages.
private struct TablePage {
    private static let interior = 0x05
    private static let leaf = 0x0D

    let bytes: [UInt8]

    /// The numbers of the pages below an interior page.
    var children: [UInt32] {
        guard byte(0) == Self.interior else { return [] }
        return ([8] + cells(from: 12)).map { offset in
            (0..<4).reduce(0) { $0 << 8 | UInt32(byte(offset + $1)) }
        }
    }

    /// The numbers of the rows on a leaf.
    var rowNumbers: [Int64] {
        guard byte(0) == Self.leaf else { return [] }
        return cells(from: 8).map { cell in
            var offset = cell
            // A cell begins with the row's size.
            _ = readNumber(at: &offset)
            return readNumber(at: &offset)
        }
    }

    /// The offsets of the cells; the page's list of the offsets begins at `start`.
    private func cells(from start: Int) -> [Int] {
        (0..<word(3)).map { word(start + 2 * $0) }
    }

    private func word(_ offset: Int) -> Int { byte(offset) << 8 | byte(offset + 1) }

    /// A byte; 0 beyond the page's end, where a damaged offset may lead.
    private func byte(_ offset: Int) -> Int { offset < bytes.count ? Int(bytes[offset]) : 0 }

    /// Reads a number of variable length: 7 bits of each byte, and 8 bits of the ninth.
    private func readNumber(at offset: inout Int) -> Int64 {
        var value: Int64 = 0
        for _ in 0..<8 {
            let next = byte(offset)
            offset += 1
            value = value << 7 | Int64(next & 0x7F)
            if next < 0x80 { return value }
        }
        value = value << 8 | Int64(byte(offset))
        offset += 1
        return value
    }
}
