internal import Foundation
internal import GRDB
package import NotificationModel

/// One value that the store keeps of an app: a column of its row, with a checksum of that column.
///
/// If a column is damaged, its safe value replaces it: texts are hidden, the permission is
/// undecided, or no program is started. The other columns stay as they are.
package struct AppColumn<Value: Sendable>: Sendable {
    let name: String
    fileprivate let record: NotificationModel.Record<Value>
    /// The value that replaces a damaged one; nil for none.
    var safe: Value?
    /// Whether the value is copied when the app takes another id.
    ///
    /// `identity` and `launchCommand` are not copied, because the app announces them again.
    /// `deniedOn` is not copied, because the engine builds it again.
    var isRenamed = false
    /// Whether this value alone is a reason to keep the app's row.
    fileprivate var keepsRow: @Sendable (Value) -> Bool = { _ in false }

    /// The value in a row; nil if the row has none.
    func value(of row: Row, _ app: ApplicationID) -> Value? {
        let payload: Data? = row.checked(name)
        let sum: Int64? = row.checked(name + "_sum")
        if payload == nil, sum == nil { return nil }
        guard let payload, RowChecksum.of(app.rawValue, name, payload) == sum,
            let value = try? PayloadCoding.decode(record, from: payload)
        else { return safe }
        return value
    }

    /// Writes the value of an app; nil removes it.
    func set(_ value: Value?, of app: ApplicationID, in database: Database) throws {
        let payload = try value.map { try PayloadCoding.encode($0, as: record, of: "\(app)") }
        let sum = payload.map { RowChecksum.of(app.rawValue, name, $0) }
        try database.run(
            """
            INSERT INTO app (app, \(name), \(name)_sum) VALUES (?, ?, ?)
            ON CONFLICT (app) DO UPDATE
            SET \(name) = excluded.\(name), \(name)_sum = excluded.\(name)_sum
            """, [app.rawValue, payload, sum])
    }

    func value(of app: ApplicationID, in database: Database) throws -> Value? {
        try AppColumns.row(of: app, in: database).flatMap { value(of: $0, app) }
    }
}

/// A column with values of any type.
protocol AnyAppColumn: Sendable {
    var name: String { get }
    /// Copies the value of an app's former id, unless the new id has a value.
    func rename(_ former: ApplicationID, to app: ApplicationID, in database: Database) throws
    /// Whether the value in a row is a reason to keep the row.
    func isUsed(in row: Row, of app: ApplicationID) -> Bool
}

extension AppColumn: AnyAppColumn {
    func rename(_ former: ApplicationID, to app: ApplicationID, in database: Database) throws {
        guard isRenamed, let value = try value(of: former, in: database),
            try self.value(of: app, in: database) == nil
        else { return }
        try set(value, of: app, in: database)
    }

    func isUsed(in row: Row, of app: ApplicationID) -> Bool {
        value(of: row, app).map(keepsRow) ?? false
    }
}

/// The columns of an app's row.
package enum AppColumns {
    package static let identity = AppColumn(
        name: "identity", record: ApplicationIdentity.record)
    package static let permission = AppColumn(
        name: "permission", record: Permission.record, safe: Permission(), isRenamed: true,
        keepsRow: { $0.status != .notDetermined || $0.location != .notDetermined })
    /// When the app's popups show their texts.
    package static let previews = AppColumn(
        name: "previews",
        record: NotificationModel.Record([Field(required: "value", \.self)]) {
            ShowPreviews.never
        }, safe: .never, isRenamed: true, keepsRow: { _ in true })
    /// The number on the app's icon.
    package static let badge = AppColumn(
        name: "badge", record: NotificationModel.Record([Field(required: "value", \.self)]) { 0 },
        isRenamed: true, keepsRow: { $0 != 0 })
    /// The desktops whose switch for the app was off while the app's permission was denied.
    ///
    /// The engine or the user turned the switch off. If it is on again, the user turned it on.
    package static let deniedOn = AppColumn(
        name: "denied_on",
        record: NotificationModel.Record([Field(required: "value", \.self)]) { [String]() })
    /// The command that starts the app again.
    package static let launchCommand = AppColumn(
        name: "launch_command", record: LaunchCommand.record)

    static let all: [any AnyAppColumn] = [
        identity, permission, previews, badge, deniedOn, launchCommand,
    ]

    static func row(of app: ApplicationID, in database: Database) throws -> Row? {
        try database.row("SELECT * FROM app WHERE app = ?", [app.rawValue])
    }

    /// Whether the app's row has a value for which the store must keep the row.
    static func isUsed(_ app: ApplicationID, in database: Database) throws -> Bool {
        guard let row = try row(of: app, in: database) else { return false }
        return all.contains { $0.isUsed(in: row, of: app) }
    }

    /// Copies values of an app from another store, unless this store has them.
    static func adopt(_ row: Row, into database: Database) throws {
        let names = all.flatMap { [$0.name, $0.name + "_sum"] }
        let changes = all.map { column in
            let name = column.name
            return """
                \(name)_sum = CASE WHEN app.\(name) IS NULL THEN excluded.\(name)_sum
                    ELSE app.\(name)_sum END,
                \(name) = COALESCE(app.\(name), excluded.\(name))
                """
        }
        let values: [DatabaseValue] = (["app"] + names).map { row.checked($0) ?? .null }
        try database.run(
            """
            INSERT INTO app (app, \(names.joined(separator: ", ")))
            VALUES (?\(String(repeating: ", ?", count: names.count)))
            ON CONFLICT (app) DO UPDATE SET \(changes.joined(separator: ", "))
            """, StatementArguments(values))
    }

    /// Removes the values of an app except its identity; changes no row that has only an identity.
    static func keepOnlyIdentity(of app: ApplicationID, in database: Database) throws {
        let others = all.map { $0.name }.filter { $0 != identity.name }
        let changes = others.map { "\($0) = NULL, \($0)_sum = NULL" }.joined(separator: ", ")
        try database.run(
            """
            UPDATE app SET \(changes)
            WHERE app = ? AND COALESCE(\(others.joined(separator: ", "))) NOT NULL
            """, [app.rawValue])
    }

    static var declarations: String {
        (["app TEXT PRIMARY KEY"] + all.map { "\($0.name) BLOB, \($0.name)_sum INTEGER" })
            .joined(separator: ",\n")
    }
}

extension CenterStore {
    /// Stores a value of an app; nil removes it.
    ///
    /// - Throws: `invalidArgument` if a text has a NUL character; `noSpace` if the disk is full;
    ///   `storeUnavailable` if the store cannot be written.
    package func save<Value>(
        _ value: Value?, as column: AppColumn<Value>, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try column.set(value, of: app, in: database)
        }
    }

    /// The value of an app; nil if the app has none.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func value<Value>(
        of column: AppColumn<Value>, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Value? {
        try await change("read") { database in try column.value(of: app, in: database) }
    }

    /// The values of a column, for all apps that have a value in it.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func values<Value>(
        of column: AppColumn<Value>, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [ApplicationID: Value] {
        try await change("read") { database in
            let rows = try database.rows("SELECT app, \(column.name), \(column.name)_sum FROM app")
            return rows.reduce(into: [:]) { values, row in
                guard let app: ApplicationID = row.checked("app") else { return }
                values[app] = column.value(of: row, app)
            }
        }
    }
}
