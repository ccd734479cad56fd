internal import Foundation
import NotificationModel

/// A request as it enters the store: checked, encoded, with its first due time.
struct NewRequest: Sendable {
    var app: ApplicationID
    var identifier: String
    var payload: Data
    var due: DueTime
    /// Our copies of its attachments.
    var files: [String]
}

/// When a row is due.
///
/// A row that counts on the boot-time clock also carries the wall time it is expected to mean, by
/// which it goes on after a reboot.
struct DueTime: Hashable, Sendable {
    var wall: Instant
    var boot: Int64?

    init(wall: Instant, boot: Int64? = nil) {
        self.wall = wall
        self.boot = boot
    }
}
