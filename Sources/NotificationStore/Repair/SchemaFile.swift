internal import Foundation
internal import GRDB
internal import Glibc
import NotificationModel

/// A copy of the schema's entries beside the store.
///
/// If a damaged entry hides a table, a rescue finds the table's rows with this copy.
struct SchemaFile {
    struct Entry: Hashable, Sendable {
        var type = ""
        var name = ""
        var table = ""
        var root: Int64 = 0
        var sql: String?

        fileprivate static let record = Record<Entry>([
            Field(required: "type", \.type),
            Field(required: "name", \.name),
            Field(required: "table", \.table),
            Field(required: "root", \.root),
            Field("sql", \.sql),
        ]) { Entry() }
    }

    /// All entries, stored as one JSON text.
    private struct Entries: Sendable {
        var entries: [Entry] = []

        static let record = Record<Entries>([
            Field("entries", \.entries) { Entry.record }
        ]) { Entries() }
    }

    let path: String

    static func entries(of database: Database) throws -> [Entry] {
        try Row.fetchAll(
            database, sql: "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema"
        ).map { row in
            Entry(
                type: row.checked("type") ?? "", name: row.checked("name") ?? "",
                table: row.checked("tbl_name") ?? "", root: row.checked("rootpage") ?? 0,
                sql: row.checked("sql"))
        }
    }

    /// A checksum of the entries, which a database file keeps as its application id.
    ///
    /// It is never 0, because 0 means that the file has no checksum.
    static func sum(of entries: [Entry]) -> Int32 {
        let texts = entries.map { "\($0.type)\($0.name)\($0.table)\($0.root)\($0.sql ?? "")" }
        let sum = RowChecksum.of(texts.sorted().joined(separator: "\n"))
        return Int32(truncatingIfNeeded: sum) | 1
    }

    /// The entries that were written last; nil if there are none, or they are damaged.
    func read() -> [Entry]? {
        guard let bytes = FileManager.default.contents(atPath: path),
            let separator = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let payload = Data(bytes[bytes.index(after: separator)...])
        let sum = String(decoding: bytes[..<separator], as: UTF8.self)
        guard sum == String(RowChecksum.of(payload)) else { return nil }
        return (try? PayloadCoding.decode(Entries.record, from: payload))?.entries
    }

    /// Writes the entries, whole or not at all; does nothing if the file has them already.
    func write(_ entries: [Entry]) throws {
        guard read() != entries else { return }
        let payload = try PayloadCoding.encode(Entries(entries: entries), as: Entries.record)
        let text = Data("\(RowChecksum.of(payload))\n".utf8) + payload
        try StoreDirectory.write(text, to: path)
    }

    /// Puts entries into a database file that has no schema entries.
    static func insertEntries(_ entries: [Entry], into path: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            for entry in entries {
                try database.execute(
                    sql: "INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)",
                    arguments: [entry.type, entry.name, entry.table, entry.root, entry.sql])
            }
        }
        try database.close()
    }
}
