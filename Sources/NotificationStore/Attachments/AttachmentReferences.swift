internal import Foundation
internal import GRDB
internal import NotificationModel

/// Links each attached file to the rows that show the file; the file is deleted with the last row.
///
/// Files are identified by their names, because the directory may be moved.
enum AttachmentReferences {
    /// The table of a row that shows a file.
    enum Owner: String, CaseIterable, DatabaseValueConvertible {
        case request
        case notification
        case response
    }

    static func add(
        _ files: [String], owner: Owner, row: Int64, in database: Database
    ) throws {
        for file in files {
            try database.run(
                "INSERT OR IGNORE INTO attachment (file, owner, owner_row) VALUES (?, ?, ?)",
                [(file as NSString).lastPathComponent, owner, row])
        }
    }

    /// Drops the references of rows that are gone.
    ///
    /// Such references remain only after a crash. If an app removes a request during its
    /// presentation, the references stay until the presentation ends, and a crash may come first.
    static func dropStale(in database: Database) throws {
        for owner in Owner.allCases {
            try database.execute(
                sql: """
                    DELETE FROM attachment WHERE owner = ?
                    AND owner_row NOT IN (SELECT row FROM \(owner.rawValue))
                    """, arguments: [owner])
        }
        try database.execute(
            sql: "DELETE FROM attachment_file WHERE file NOT IN (SELECT file FROM attachment)")
    }

    /// The names of files in the store, and their sizes in bytes.
    static func sizes(of files: [String]) -> [(name: String, size: Int64)] {
        files.map { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let size = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
            return (name: (path as NSString).lastPathComponent, size: size)
        }
    }

    /// Whether `recordFiles` has stored the app and the size of a file.
    static func isRecorded(_ file: String, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM attachment_file WHERE file = ?", [file]) != nil
    }

    /// Stores which app the files belong to, and their sizes in bytes.
    static func recordFiles(
        _ files: [(name: String, size: Int64)], of app: ApplicationID, in database: Database
    ) throws {
        for file in files {
            try database.run(
                "INSERT OR IGNORE INTO attachment_file (file, app, size) VALUES (?, ?, ?)",
                [file.name, app.rawValue, file.size])
        }
    }

    static func contains(_ file: String, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM attachment WHERE file = ?", [file]) != nil
    }
}

extension CenterStore {
    func delete(
        _ rows: [Int64], from table: AttachmentReferences.Owner, in database: Database
    ) throws {
        guard !rows.isEmpty else { return }
        let list = Database.list(rows)
        try database.run(
            "DELETE FROM \(table.rawValue) WHERE row IN \(list.sql)", [list.argument])
        try dropFiles(of: table, rows: rows, in: database)
    }

    /// Drops the references of rows; the commit deletes the files that no other row shows.
    func dropFiles(
        of owner: AttachmentReferences.Owner, rows: [Int64], in database: Database
    ) throws {
        let list = Database.list(rows)
        let condition = "owner = ? AND owner_row IN \(list.sql)"
        let arguments: StatementArguments = [owner, list.argument]
        let files: [String] = try database.values(
            "SELECT file FROM attachment WHERE \(condition)", arguments)
        guard !files.isEmpty else { return }
        try database.run("DELETE FROM attachment WHERE \(condition)", arguments)
        for file in files where try !AttachmentReferences.contains(file, in: database) {
            try database.run("DELETE FROM attachment_file WHERE file = ?", [file])
        }
        database.afterNextTransaction { [vault] database in
            // Check each file again: the transaction was committed, but it may have rolled back
            // this change. If the database cannot be read, the file stays until the next start.
            vault.remove(
                files.filter { (try? AttachmentReferences.contains($0, in: database)) == false })
        }
    }
}
