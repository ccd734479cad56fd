internal import GRDB
import NotificationModel

/// When the earliest waiting row of each clock is due: what the two alarms are set for.
struct ScheduleHead: Hashable, Sendable {
    var wall: Instant?
    var boot: Int64?

    /// Reads the first entry of each of the two indexes.
    init(_ database: Database) throws {
        let wall = try database.cachedStatement(
            sql: "SELECT MIN(due_wall) FROM request WHERE state = 0 AND boot_id IS NULL")
        let boot = try database.cachedStatement(
            sql: "SELECT MIN(due_boot) FROM request WHERE state = 0 AND boot_id NOT NULL")
        self.wall = try Int64.fetchOne(wall).map(Instant.init(microseconds:))
        self.boot = try Int64.fetchOne(boot)
    }

    init(wall: Instant? = nil, boot: Int64? = nil) {
        self.wall = wall
        self.boot = boot
    }

    /// Whether a row of either clock is due.
    func isDue(at now: ClockReading) -> Bool {
        if let wall, wall <= now.wall { return true }
        if let boot, boot <= now.boot { return true }
        return false
    }
}
