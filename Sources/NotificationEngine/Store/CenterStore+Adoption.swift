internal import Foundation
import NotificationModel

extension CenterStore {
    /// Takes over what another store holds, once and whole, and removes that store.
    ///
    /// Nil where there is none, else the notifications here that newer ones replaced. Throws
    /// `storeLocked` where another process has it, and leaves it alone then and on every other
    /// error.
    func adopt(
        _ layout: StoreLayout, now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> RetiredNotifications? {
        guard FileManager.default.fileExists(atPath: layout.database) else { return nil }
        let isNewer = StoreFile.lastWritten(layout) > lastWritten
        let older = isNewer ? lastRows : StoreAdoption.RowLimits()
        let replaced: StoreAdoption.Replaced
        let other = try CenterStore(
            layout: layout, bootID: bootID, isTakenOver: true, now: now.wall, step: step
        ) { _ in }
        do throws(NotificationError) {
            // What it left on the way, and the intervals of another boot, are as at its own start.
            try await other.adoptThisBoot(now: now)
            // From here on its owner looks into this store before it writes.
            let database = self.layout.database
            try await other.change("changed") {
                try StoreAdoption.mark($0, takenOverInto: database)
            }
            let adoption = StoreAdoption(
                source: layout, attachments: self.layout.attachments, older: older)
            try adoption.linkFiles()
            vault.flushDirectory()
            replaced = try await change("changed") { database in
                let replaced = try adoption.copyRows(into: database)
                try self.noteClosing(replaced.retired.popups, in: database)
                return replaced
            }
        } catch {
            other.close()
            throw error
        }
        step(.adopted)
        other.close { StoreAdoption.remove(layout, step: step) }
        vault.remove(replaced.orphans)
        return replaced.retired
    }
}
