internal import GRDB
package import NotificationModel

/// The due times of the earliest pending row on each clock; the engine sets one alarm for each
/// clock.
package struct ScheduleHead: Equatable, Sendable {
    package var wall: Instant?
    package var boot: Int64?
    /// Whether a popup is on the screen: the daemon must not exit while the user may respond.
    var hasPopups = false
    /// How many changes the store has seen since it was opened.
    ///
    /// After a change, another row with the same date may be due next. `==` ignores this number.
    package var changes = 0

    init(_ database: Database) throws {
        let row = try database.row(
            """
            SELECT
              (SELECT MIN(due_wall) FROM request WHERE state = 0 AND boot_id IS NULL) AS wall,
              (SELECT MIN(due_boot) FROM request WHERE state = 0 AND boot_id NOT NULL) AS boot,
              EXISTS (SELECT 1 FROM notification WHERE popup_id NOT NULL) AS has_popups
            """)
        wall = row?.checked("wall")
        // A request without a date needs neither an alarm nor a daemon.
        if wall == DueTime.never.wall { wall = nil }
        boot = row?.checked("boot")
        hasPopups = row?.checked("has_popups") ?? false
        changes = database.totalChangesCount
    }

    package init(wall: Instant? = nil, boot: Int64? = nil) {
        self.wall = wall
        self.boot = boot
    }

    package static func == (left: ScheduleHead, right: ScheduleHead) -> Bool {
        left.wall == right.wall && left.boot == right.boot && left.hasPopups == right.hasPopups
    }

    /// Whether a row of either clock is due.
    package func isDue(at now: ClockReading) -> Bool {
        if let wall, wall <= now.wall { return true }
        if let boot, boot <= now.boot { return true }
        return false
    }
}
