import NotificationModel
internal import NotificationStore

/// The engine's decisions: each event is one mutating method that returns effects.
///
/// It owns the sessions, deliveries, questions, launches and restorations. `CenterEngine` performs
/// the effects, in their order. This type never performs I/O and never reads a clock. Only the
/// store has the pending requests.
struct EngineState {
    /// The time that an app has to decide how its notification is shown, in microseconds.
    static let askTimeout: Int64 = 3_000_000
    /// The delay before the next claim if all due rows belong to blocked apps, in microseconds.
    static let recheckInterval: Int64 = 250_000
    /// The delay before a failed change of the store is retried, in microseconds.
    static let retryInterval: Int64 = 1_000_000

    let schedule: FireSchedule
    /// The known apps; use `subscript(_:)` to read one.
    var apps: [ApplicationID: App] = [:]
    /// The token of the open question about each permission.
    var asking: [AskedPermission: UInt64] = [:]
    var responses = ResponseMachine()
    var recent = RecentNotifications()
    /// The time at which a process of an app last disconnected, on the boot-time clock in
    /// microseconds.
    var departures: [ApplicationID: Int64] = [:]
    var lock = LockMachine()
    var geofences = GeofenceMachine()
    var locationNeed: LocationNeed?
    var queue = DeliveryQueue()
    /// For each notification, the number of popup events that are being stored.
    ///
    /// The outcome of a replacement is stored after these events, because storing it removes the
    /// old notification's row. A response that is stored later would count for the replacement.
    var recording: [NotificationKey: Int] = [:]
    var launches: LaunchMachine
    var sounds = PlayingSounds()
    /// Whether the desktop can be asked about Do Not Disturb.
    let hasPreferences: Bool
    /// The form of the images that the media programs make; nil if there are no such programs.
    ///
    /// With `pixels`, the programs convert only images that some server cannot show; with `png`,
    /// they convert all images.
    let imageForm: Image.Form?
    /// The earliest due time of the pending rows on each clock, as the store last reported it.
    var head = ScheduleHead()
    var isPresenterAvailable = false
    /// Whether a server runs and has reported its capabilities.
    ///
    /// A server that is only activatable does not count.
    var isServerRunning = false
    /// Whether the server keeps a list of notifications; if so, the engine restores lost popups.
    ///
    /// Before a server is identified, this is true.
    var isPresenterPersistent = true
    var isClaiming = false
    /// The number of requests that are being stored as "presenting".
    var reserved = 0
    /// The tokens of rows whose mark "delivered" waits for the store's next commit.
    var marking: Set<UInt64> = []
    /// The rows that were removed or replaced during a claim or an insertion.
    ///
    /// The claim or insertion may still return these rows.
    var removedRows: Set<Int64> = []
    /// The apps whose claimed rows wait until their localisations are read.
    var localizing: Set<ApplicationID> = []
    /// Whether the last claim found nothing although a row is due.
    var isStalled = false
    /// Whether more rows may have become claimable since the running claim began.
    var hasChanged = false
    var isStopping = false
    /// The time of the next retry on the boot-time clock, in microseconds; nil if none is needed.
    var retryAt: Int64?
    var failed: [EngineEffect] = []
    /// The badges that the store refused, and that no newer badge has replaced.
    var unstoredBadges: [ApplicationID: Int] = [:]
    /// Whether the engine runs inside the app that it serves.
    let isEmbedded: Bool
    var outages = OutageLog()
    /// The latest time that the wall clock showed since it was set; nil before the first reading.
    var latestWall: Instant?
    var allowance = LateAllowance()
    var changes = ChangeLedger()
    var restorations = RestoreMachine()
    /// The last number that `nextNumber()` returned.
    private var lastNumber: UInt64

    init(
        schedule: FireSchedule, isEmbedded: Bool = false, launchesApps: Bool = false,
        hasPreferences: Bool = false, imageForm: Image.Form? = nil, lastNumber: UInt64 = 0
    ) {
        self.schedule = schedule
        self.isEmbedded = isEmbedded
        self.hasPreferences = hasPreferences
        self.imageForm = imageForm
        self.lastNumber = lastNumber
        launches = LaunchMachine(isPossible: launchesApps)
    }

    /// Whether no delivery, claim, insertion, restoration or post is under way.
    ///
    /// Early rows do not count, because they only wait.
    var isIdle: Bool {
        deliveries.values.allSatisfy { $0.stage == .early } && !isClaiming && reserved == 0
            && restorations.current == nil && !queue.hasUnansweredPosts
    }

    var sessions: [ServiceSession: ResponseMachine.Session] { responses.sessions }

    var deliveries: [UInt64: Delivery] { queue.deliveries }

    /// The tokens of the deliveries that meet the condition, in their order.
    func tokens(where isMeant: (Delivery) -> Bool) -> [UInt64] {
        deliveries.filter { isMeant($0.value) }.keys.sorted()
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Withdrawal

    /// Withdraws rows that were removed or replaced, unless the server was asked to show them.
    mutating func rowsWithdrawn(_ rows: [Int64]) -> [EngineEffect] {
        guard !rows.isEmpty else { return [] }
        let rows = Set(rows)
        if isClaiming || reserved > 0 { removedRows.formUnion(rows) }
        return takeBack { rows.contains($0.claimed.row) }
    }

    /// Stops new work; unsent rows wait in the store for the next start.
    ///
    /// Changes that the store refused are retried immediately, for the last time.
    mutating func stop() -> [EngineEffect] {
        isStopping = true
        var retried: [EngineEffect] = []
        swap(&retried, &failed)
        let dropped = Set([restorations.stop(isPosted: queue.isPosted)].compactMap(\.self))
        return retried + permissions { $0.withdraw() } + takeBack { _ in true }
            + queue.remove(dropped) + [.arm(ClockAlarms()), .watchLocation(nil)]
    }

    private mutating func takeBack(where isMeant: (Delivery) -> Bool) -> [EngineEffect] {
        let (unsent, next) = queue.withdraw(where: isMeant)
        let ended = unsent.flatMap { token, delivery in
            endProgram(of: delivery, token) + settle(token, .requeued)
        }
        return ended + next
    }

    var unanswered: [Int64] {
        deliveries.values.filter { $0.stage == .posted }.map(\.claimed.row).sorted()
    }
}
