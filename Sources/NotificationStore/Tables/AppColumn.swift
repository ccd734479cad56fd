internal import Foundation
internal import GRDB
package import NotificationModel

/// One thing that is kept of an app: a column of its row, and beside it the checksum of that column.
///
/// A damaged column falls to its safe side and leaves the others: texts are hidden, nobody has been
/// asked, no program is started. Adoption, rescue and forgetting go over the whole row.
package struct AppColumn<Value: Sendable>: Sendable {
    let name: String
    fileprivate let record: NotificationModel.Record<Value>
    /// The value that a damaged one counts as; nil for nothing.
    var safe: Value?
    /// Whether it goes along when the app takes another id; of itself the app says everything anew.
    var isRenamed = false
    /// Whether it is a reason to keep the row of an app of which nothing else is left.
    fileprivate var keepsRow: @Sendable (Value) -> Bool = { _ in false }

    /// The value of a row, nil where it has none.
    func value(of row: Row, _ app: ApplicationID) -> Value? {
        let payload: Data? = row.checked(name)
        let sum: Int64? = row.checked(name + "_sum")
        if payload == nil, sum == nil { return nil }
        guard let payload, RowChecksum.of(app.rawValue, name, payload) == sum,
            let value = try? PayloadCoding.decode(record, from: payload)
        else { return safe }
        return value
    }

    /// Writes the value of an app; nil takes it away.
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

    /// The value of an app; nil if it has none.
    func value(of app: ApplicationID, in database: Database) throws -> Value? {
        try AppColumns.row(of: app, in: database).flatMap { value(of: $0, app) }
    }
}

/// A column, whatever its values are.
protocol AnyAppColumn: Sendable {
    var name: String { get }
    /// Gives an app the value of another, where it has none of its own.
    func rename(_ former: ApplicationID, to app: ApplicationID, in database: Database) throws
    /// Whether it is a reason to keep a row.
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
    /// Its identity.
    package static let identity = AppColumn(
        name: "identity", record: ApplicationIdentity.record)
    /// The user's permission.
    package static let permission = AppColumn(
        name: "permission", record: Permission.record, safe: Permission(), isRenamed: true,
        keepsRow: { $0.status != .notDetermined })
    /// When its texts are shown.
    package static let previews = AppColumn(
        name: "previews",
        record: NotificationModel.Record([Field(required: "value", \.self)]) {
            ShowPreviews.never
        }, safe: .never, isRenamed: true, keepsRow: { _ in true })
    /// The number on its icon.
    package static let badge = AppColumn(
        name: "badge", record: NotificationModel.Record([Field(required: "value", \.self)]) { 0 },
        isRenamed: true, keepsRow: { $0 != 0 })
    /// The desktops whose own switch of it was turned off because the user denied it here: one that
    /// is on again was turned by the user.
    package static let deniedOn = AppColumn(
        name: "denied_on",
        record: NotificationModel.Record([Field(required: "value", \.self)]) { [String]() })
    /// How it is started again.
    package static let launchCommand = AppColumn(
        name: "launch_command", record: LaunchCommand.record)

    static let all: [any AnyAppColumn] = [
        identity, permission, previews, badge, deniedOn, launchCommand,
    ]

    /// The row of an app.
    static func row(of app: ApplicationID, in database: Database) throws -> Row? {
        try database.row("SELECT * FROM app WHERE app = ?", [app.rawValue])
    }

    /// Whether the user or the app left something that is to be kept.
    static func isUsed(_ app: ApplicationID, in database: Database) throws -> Bool {
        guard let row = try row(of: app, in: database) else { return false }
        return all.contains { $0.isUsed(in: row, of: app) }
    }

    /// Takes over what another store says of an app and this one does not.
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

    /// As SQL declares them.
    static var declarations: String {
        (["app TEXT PRIMARY KEY"] + all.map { "\($0.name) BLOB, \($0.name)_sum INTEGER" })
            .joined(separator: ",\n")
    }
}

extension CenterStore {
    /// Remembers something of an app; nil forgets it.
    package func save<Value>(
        _ value: Value?, as column: AppColumn<Value>, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try column.set(value, of: app, in: database)
        }
    }

    /// The values of all apps that have one.
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
