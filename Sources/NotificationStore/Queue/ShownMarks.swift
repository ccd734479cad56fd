internal import Foundation
internal import Glibc
internal import Logging
import NotificationModel
internal import Reactor

/// Stores a mark for each shown row while the disk is full and `StoreReserve` is used up.
///
/// It owns one file with a fixed number of places for marks. The file has its full size from the
/// beginning, so most file systems need no space for a mark.
///
/// A mark stays until the database stores the delivery; the next process reads the remaining marks.
/// If a file system copies on write (for example btrfs), a mark may need space. If that space is
/// missing, the log says that the notification may be shown again.
///
/// Each mark records the due time for which the row was shown. When the row is due again, the old
/// mark has another due time and is ignored.
final class ShownMarks: Sendable {
    struct Mark: Hashable, Sendable {
        var row: Int64
        /// When the row was due by the wall clock, in microseconds since 1970.
        var due: Int64
        /// When it was shown, in microseconds since 1970.
        var date: Int64
        var popup: UInt32?
        var server: String?
        var isHidden: Bool?

        private var popupNumber: Int64? {
            get { popup.map(Int64.init) }
            set { popup = newValue.flatMap(UInt32.init(exactly:)) }
        }

        static let record = Record<Mark>([
            Field(required: "row", \.row),
            Field(required: "due", \.due),
            Field(required: "date", \.date),
            Field("popup", \.popupNumber),
            Field("server", \.server),
            Field("isHidden", \.isHidden),
        ]) { Mark(row: 0, due: 0, date: 0) }
    }

    /// The size of a mark in bytes: one sector, which a disk writes whole or not at all.
    private static let markSize = 512
    /// Twice the number of rows that may be posted but not yet stored as delivered.
    private static let count = 2 * StoreLimits.presenting

    private let path: String
    /// The place of each row's mark in the file.
    private let places = Locked<[Int64: Int]>([:])
    /// The rows whose marks could not be written, and that the log has reported.
    ///
    /// The engine tries again each second, but the log reports each row only once.
    private let missing = Locked<Set<Int64>>([])

    init(path: String) {
        self.path = path
    }

    /// Gives the file its full size, unless the file has that size already.
    func prepare() {
        do {
            // An overlay file system copies a file to its upper layer when the file is first opened
            // for writing. So open the file now, because the disk may be full later.
            if try size() >= Self.count * Self.markSize { return try write { _ in } }
            let empty = Data(count: Self.count * Self.markSize)
            try StoreDirectory.write(empty, to: path)
        } catch {
            Log.store.error(
                "the file for marks of shown notifications cannot be prepared: \(error)")
        }
    }

    /// The size of the file in bytes; 0 for a missing file.
    private func size() throws -> Int {
        if let status = StoreDirectory.status(of: path) { return Int(status.st_size) }
        guard errno == ENOENT else { throw StoreDirectory.failure }
        return 0
    }

    private func contents() -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch CocoaError.fileReadNoSuchFile {
            return Data()
        } catch {
            Log.store.error(
                """
                the marks of shown notifications cannot be read; these notifications may appear \
                again: \(error)
                """)
            return Data()
        }
    }

    /// Reads the marks in the file, and remembers the place of each mark.
    func read() -> [Mark] {
        let contents = contents()
        var marks: [Mark] = []
        places.withLock { places in
            for start in stride(from: 0, to: contents.count, by: Self.markSize) {
                let bytes = contents[start..<min(start + Self.markSize, contents.count)]
                // Skip a mark that a power cut left incomplete.
                guard bytes.first == UInt8(ascii: "{"),
                    let mark = try? PayloadCoding.decode(Mark.record, from: Data(bytes))
                else { continue }
                places[mark.row] = start / Self.markSize
                marks.append(mark)
            }
        }
        return marks
    }

    func recordShown(_ settlements: [Settlement]) {
        let marks = settlements.compactMap(Mark.init)
        guard !marks.isEmpty else { return }
        do {
            try places.withLock { places in
                try write { file in
                    for mark in marks {
                        guard let place = places[mark.row] ?? Self.free(besides: places) else {
                            throw NotificationError(.limitReached, "All marks are in use.")
                        }
                        try Self.writeMark(
                            try PayloadCoding.encode(mark, as: Mark.record), at: place, of: file)
                        places[mark.row] = place
                    }
                }
            }
        } catch {
            let added = missing.withLock { missing in
                let known = missing.count
                missing.formUnion(marks.map(\.row))
                return missing.count - known
            }
            guard added > 0 else { return }
            Log.store.error("\(added) notifications may be shown again: \(error)")
        }
    }

    /// Forgets the marks of these rows, because the database stores their deliveries.
    func forget(_ rows: [Int64]) {
        missing.withLock { $0.subtract(rows) }
        places.withLock { places in
            let known = rows.compactMap { places.removeValue(forKey: $0) }
            erase(known)
        }
    }

    /// Forgets the marks of an earlier process.
    func forgetAll() {
        places.withLock { places in
            places = [:]
            erase(Array(0..<Self.count))
        }
    }

    private func erase(_ places: [Int]) {
        guard !places.isEmpty else { return }
        do {
            try write { file in
                for place in places { try Self.writeMark(Data(), at: place, of: file) }
            }
        } catch {
            // A mark that stays does no harm: its row has another date now, or is gone.
            Log.store.debug("marks of shown notifications were not erased: \(error)")
        }
    }

    private static func free(besides places: [Int64: Int]) -> Int? {
        let used = Set(places.values)
        return (0..<count).first { !used.contains($0) }
    }

    private func write(_ body: (Int32) throws -> Void) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw StoreDirectory.failure }
        defer { close(file) }
        try body(file)
        guard fdatasync(file) == 0 else { throw StoreDirectory.failure }
    }

    private static func writeMark(_ text: Data, at place: Int, of file: Int32) throws {
        let fill = text.isEmpty ? 0 : UInt8(ascii: " ")
        let bytes = text + Data(repeating: fill, count: max(0, markSize - text.count))
        guard bytes.count == markSize else {
            throw NotificationError(.invalidArgument, "A mark is too long.")
        }
        guard pwrite(file, Array(bytes), markSize, off_t(place * markSize)) == markSize else {
            throw StoreDirectory.failure
        }
    }
}

extension ShownMarks.Mark {
    /// Returns nil if the settlement is not a delivery.
    init?(_ settlement: Settlement) {
        guard case .delivered(let popup) = settlement.outcome else { return nil }
        self.init(
            row: settlement.claimed.row, due: settlement.claimed.due.wall.microseconds,
            date: settlement.date.microseconds, popup: popup?.id, server: popup?.server,
            isHidden: popup?.isHidden)
    }

    var presentedPopup: PresentedPopup? {
        guard let popup, let server else { return nil }
        return PresentedPopup(id: popup, server: server, isHidden: isHidden ?? false)
    }
}
