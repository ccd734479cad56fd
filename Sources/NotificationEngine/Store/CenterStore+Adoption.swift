internal import Foundation
import NotificationModel

extension CenterStore {
    /// Takes over what another store holds, once and whole, and removes that store.
    ///
    /// False where there is none. Throws `storeLocked` where another process has it, and leaves it
    /// alone then and on every other error.
    func adopt(
        _ layout: StoreLayout, now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        guard FileManager.default.fileExists(atPath: layout.database) else { return false }
        let other = try CenterStore(layout: layout, bootID: bootID) { _ in }
        do throws(NotificationError) {
            // What it left on the way, and the intervals of another boot, are as at its own start.
            try await other.adoptThisBoot(now: now)
            let adoption = StoreAdoption(source: layout, attachments: self.layout.attachments)
            try adoption.linkFiles()
            vault.flushDirectory()
            try await change("changed") { database in try adoption.copyRows(into: database) }
        } catch {
            other.close()
            throw error
        }
        other.close { try? FileManager.default.removeItem(atPath: layout.directory) }
        return true
    }
}
