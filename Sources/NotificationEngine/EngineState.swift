import NotificationModel

/// What the engine decides with: the few things in flight, never the schedule itself.
///
/// Every event is one mutating method that returns effects; `CenterEngine` performs them. The
/// state does no I/O and reads no clock.
struct EngineState {
    /// The most rows that are "presenting" at a time: after a crash only these may be shown twice.
    static let flightLimit = 64
    /// How long an app may think about whether its notification is shown, in microseconds.
    static let askTimeout: Int64 = 3_000_000
    /// How soon a queue that a waiting app blocks is looked at again, in microseconds.
    static let recheckInterval: Int64 = 250_000
    /// How soon a failed change of the store is tried again, in microseconds.
    static let retryInterval: Int64 = 1_000_000

    /// A claimed row on its way.
    struct Flight {
        enum Stage: Equatable {
            case asking(ServiceSession, deadline: Int64)
            case presenting
            case settling
        }

        var claimed: ClaimedRequest
        var notification: DeliveredNotification
        var stage: Stage
    }

    /// A connected app.
    struct Session {
        var app: ApplicationID
        var asksBeforePresenting: Bool
        /// Whether stored responses are still on their way to it; new ones wait behind them.
        var isReplaying = true
        /// What it was handed and has not acknowledged.
        var outstanding: [NotificationResponse] = []
        /// What came while stored responses were on their way.
        var waiting: [NotificationResponse] = []
    }

    var applications: [ApplicationID: ApplicationIdentity] = [:]
    var categories: [ApplicationID: [String: NotificationCategory]] = [:]
    var sessions: [ServiceSession: Session] = [:]
    var flights: [UInt64: Flight] = [:]
    /// What was answered before its delivery was stored: a quick click overtakes the commit.
    var earlyAnswers: [Answer] = []
    var waitingApps: Set<ApplicationID> = []
    var head = ScheduleHead()
    var isPresenterAvailable = false
    var isClaiming = false
    /// Whether the last claim found nothing although something is due.
    var isStalled = false
    /// When a failed claim is tried again, on the boot-time clock.
    var retryAt: Int64?
    private var lastNumber: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// The identity with which an app's popups are shown; one that never connected has only an id.
    func identity(of app: ApplicationID) -> ApplicationIdentity {
        applications[app]
            ?? ApplicationIdentity(
                id: app, name: app.rawValue.split(separator: ".").last.map(String.init) ?? "")
    }

    func category(_ identifier: String, of app: ApplicationID) -> NotificationCategory? {
        identifier.isEmpty ? nil : categories[app]?[identifier]
    }

    /// The session that speaks for an app: the newest, so that one response goes to one process.
    func session(of app: ApplicationID, asking: Bool = false) -> ServiceSession? {
        sessions.filter { $0.value.app == app && (!asking || $0.value.asksBeforePresenting) }
            .keys.max { $0.rawValue < $1.rawValue }
    }
}
