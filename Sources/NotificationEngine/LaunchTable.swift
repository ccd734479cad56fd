import NotificationModel

/// The apps that are being started, and the starts that wait for their moment.
struct LaunchTable {
    /// A start that an earlier run of the engine left.
    struct Waiting: Hashable {
        var order: LaunchOrder
        /// When it is to happen, on the boot-time clock.
        var due: Int64
    }

    /// Whether apps can be started at all: the daemon can, an engine in the app itself cannot.
    var isPossible = false
    /// How apps without a desktop file are started.
    var commands: [ApplicationID: LaunchCommand] = [:]
    /// Until when an app that was started may still be on its way to us, on the boot-time clock.
    var starting: [ApplicationID: Int64] = [:]
    /// The starts that wait, in the order of their responses.
    var waiting: [Waiting] = []

    /// When the next one is due.
    var deadline: Int64? { waiting.map(\.due).min() }
}
