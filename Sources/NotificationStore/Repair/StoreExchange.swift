internal import Foundation
internal import Glibc
internal import Logging

/// Puts a new database in the place of one that is damaged or not ours.
///
/// The new one is whole and on the disk before anything is moved, under a name that says so: where a
/// process dies between two steps, the next start does the rest. The former database keeps its log
/// and gets a numbered name.
struct StoreExchange: Sendable {
    /// Why the former database goes.
    enum Cause: String, CaseIterable {
        /// Its rows were collected in the new one.
        case damaged
        /// The store's files were removed or replaced: the new one was written from memory and disk.
        case replaced
    }

    /// How many former databases are kept, the newest.
    ///
    /// All that could be read of a damaged one is in the database that took its place. Others were put
    /// there by another program, which may do so again and again.
    static func keptCount(_ cause: Cause) -> Int {
        switch cause {
        case .damaged: 3
        case .replaced: 10
        }
    }

    let layout: StoreLayout
    var step: @Sendable (EngineStep) -> Void = { _ in }

    /// Where the new database waits for its place.
    private func ready(_ cause: Cause) -> String { "\(layout.database).\(cause.rawValue).ready" }

    /// The name that the former database will have.
    func name(for cause: Cause) -> String {
        name(for: cause, (numbers(of: cause).max() ?? 0) + 1)
    }

    /// The numbers of the former databases that are kept.
    private func numbers(of cause: Cause) -> [Int] {
        let start = (name(for: cause, 0) as NSString).lastPathComponent.dropLast()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: layout.directory)) ?? []
        return names.filter { $0.hasPrefix(start) }.compactMap { Int($0.dropFirst(start.count)) }
    }

    private func name(for cause: Cause, _ number: Int) -> String {
        "\(layout.database).\(cause.rawValue)-\(number)"
    }

    /// Makes the collected database the one that takes the place, whatever happens from here on.
    func prepare(_ cause: Cause) throws {
        try StoreDirectory.flush(layout.collected)
        try StoreDirectory.rename(layout.collected, to: ready(cause))
        try StoreDirectory.flush(layout.directory)
        step(.exchangePrepared)
    }

    /// Does what is left of an exchange; false where none was begun.
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

    /// Moves the former database away, its log first: a new database must not meet it.
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

    /// Removes what an unfinished rescue left, whose database is still in its place.
    func removeUnfinished() {
        for path in [layout.collected, layout.image] {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        }
    }

    /// Removes a database of which everything was collected.
    func remove(_ name: String, of cause: Cause = .damaged) {
        let file = (layout.database as NSString).lastPathComponent
        // A damaged name must not lead elsewhere.
        guard name.hasPrefix("\(file).\(cause.rawValue)-"), !name.contains("/") else { return }
        for suffix in ["", "-wal", "-shm"] { unlink("\(layout.directory)/\(name)\(suffix)") }
    }
}
