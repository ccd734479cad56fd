internal import Foundation
internal import Glibc
internal import Logging

/// Replaces the store's database after damage, or after another program removed or replaced its
/// files.
///
/// Before anything is moved, the new database is whole and on the disk, under a separate name. If a
/// process dies between two steps, the next start completes the exchange. The former database keeps
/// its log and gets a numbered name.
struct StoreExchange: Sendable {
    enum Cause: String, CaseIterable {
        /// The former database is damaged; its rows were collected in the new one.
        case damaged
        /// The store's files were removed or replaced; the new database is a copy of the open one.
        case replaced
    }

    /// How many former databases are kept; older databases are removed.
    ///
    /// More are kept for `replaced`, because a file that another program put in the database's
    /// place has no other copy. The readable rows of a damaged database are in the new database.
    static func keptCount(_ cause: Cause) -> Int {
        switch cause {
        case .damaged: 3
        case .replaced: 10
        }
    }

    let layout: StoreLayout
    var step: @Sendable (EngineStep) -> Void = { _ in }

    /// The name of the new database until it is in its place.
    private func ready(_ cause: Cause) -> String { "\(layout.database).\(cause.rawValue).ready" }

    /// The name that the former database will have.
    func name(for cause: Cause) -> String {
        name(for: cause, (numbers(of: cause).max() ?? 0) + 1)
    }

    private func numbers(of cause: Cause) -> [Int] {
        let start = (name(for: cause, 0) as NSString).lastPathComponent.dropLast()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: layout.directory)) ?? []
        return names.filter { $0.hasPrefix(start) }.compactMap { Int($0.dropFirst(start.count)) }
    }

    private func name(for cause: Cause, _ number: Int) -> String {
        "\(layout.database).\(cause.rawValue)-\(number)"
    }

    /// Prepares the exchange: even after a crash, the next start puts the new database in place.
    func prepare(_ cause: Cause) throws {
        try StoreDirectory.flush(layout.collected)
        try StoreDirectory.rename(layout.collected, to: ready(cause))
        try StoreDirectory.flush(layout.directory)
        step(.exchangePrepared)
    }

    /// Completes an exchange; returns false if none was prepared.
    func finish() throws -> Bool {
        guard
            let cause = Cause.allCases.first(where: {
                FileManager.default.fileExists(atPath: ready($0))
            })
        else { return false }
        try setFormerAside(cause)
        try StoreDirectory.rename(ready(cause), to: layout.database)
        try StoreDirectory.flush(layout.directory)
        step(.exchanged)
        for number in numbers(of: cause).sorted().dropLast(Self.keptCount(cause)) {
            remove((name(for: cause, number) as NSString).lastPathComponent, of: cause)
        }
        return true
    }

    /// Moves the former database away, its log first: a new database must not find that log.
    func setFormerAside(_ cause: Cause) throws {
        let target = name(for: cause)
        unlink(layout.database + "-shm")
        try StoreDirectory.rename(layout.log, to: target + "-wal")
        try StoreDirectory.flush(layout.directory)
        step(.logMoved)
        try StoreDirectory.rename(layout.database, to: target)
        try StoreDirectory.flush(layout.directory)
        step(.databaseMoved)
    }

    /// Removes the temporary files of an unfinished rescue; the store's database stays.
    func removeUnfinished() {
        for path in [layout.collected, layout.image] {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        }
    }

    /// Removes a former database with its journal files.
    func remove(_ name: String, of cause: Cause = .damaged) {
        let file = (layout.database as NSString).lastPathComponent
        // The name may come from a damaged store, and must not lead to another file.
        guard name.hasPrefix("\(file).\(cause.rawValue)-"), !name.contains("/") else { return }
        for suffix in ["", "-wal", "-shm"] { unlink("\(layout.directory)/\(name)\(suffix)") }
    }
}
