internal import Foundation
internal import GRDB

/// Which rows show which of our files: a file is deleted when its last row goes.
///
/// Files are known by their names, because the directory may be moved. Rows without attachments,
/// nearly all, cost one look into an index.
enum AttachmentReferences {
    /// The table that a referring row lies in.
    enum Owner: String, CaseIterable {
        case request
        case notification
        case response
    }

    static func add(
        _ files: [String], owner: Owner, row: Int64, in database: Database
    ) throws {
        for file in files {
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO attachment (file, owner, owner_row) VALUES (?, ?, ?)"
            ).execute(arguments: [name(file), owner.rawValue, row])
        }
    }

    /// Drops the references of a row and returns the files that no other row refers to.
    static func drop(owner: Owner, row: Int64, in database: Database) throws -> [String] {
        let find = try database.cachedStatement(
            sql: "SELECT file FROM attachment WHERE owner = ? AND owner_row = ?")
        let files = try String.fetchAll(find, arguments: [owner.rawValue, row])
        guard !files.isEmpty else { return [] }
        try database.cachedStatement(
            sql: "DELETE FROM attachment WHERE owner = ? AND owner_row = ?"
        ).execute(arguments: [owner.rawValue, row])
        let other = try database.cachedStatement(sql: "SELECT 1 FROM attachment WHERE file = ?")
        let orphans = try files.filter { try Int.fetchOne(other, arguments: [$0]) == nil }
        for file in orphans {
            try database.cachedStatement(sql: "DELETE FROM attachment_file WHERE file = ?")
                .execute(arguments: [file])
        }
        return orphans
    }

    /// Drops the references whose rows are gone: what was replaced while it was on its way, and
    /// did not come back.
    static func dropStale(in database: Database) throws {
        for owner in Owner.allCases {
            try database.execute(
                sql: """
                    DELETE FROM attachment WHERE owner = ?
                    AND owner_row NOT IN (SELECT row FROM \(owner.rawValue))
                    """, arguments: [owner.rawValue])
        }
        try database.execute(
            sql: "DELETE FROM attachment_file WHERE file NOT IN (SELECT file FROM attachment)")
    }

    /// Keeps whose files they are, and how large.
    static func note(
        _ files: [(name: String, size: Int64)], of app: String, in database: Database
    ) throws {
        for file in files {
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO attachment_file (file, app, size) VALUES (?, ?, ?)"
            ).execute(arguments: [file.name, app, file.size])
        }
    }

    static func all(in database: Database) throws -> Set<String> {
        Set(try String.fetchAll(database, sql: "SELECT file FROM attachment"))
    }

    private static func name(_ path: String) -> String {
        (path as NSString).lastPathComponent
    }
}
